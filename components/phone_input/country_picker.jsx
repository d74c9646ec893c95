// Chooses the country: our own combobox, or, on touch screens and if the page asks for it, the device's native select.
import { useSyncExternalStore } from "react";
import { CountryList } from "./country_list.jsx";
import { Selected } from "./flag.jsx";

/** Shows the picker that suits the device. */
export function CountryPicker(props) {
  const isTouch = useSyncExternalStore(onPointerChange, () => coarsePointer().matches);
  return isTouch && props.look.nativeOnTouch ? <CountrySelect {...props} /> : <CountryList {...props} isTouch={isTouch} />;
}

const coarsePointer = () => matchMedia("(pointer: coarse)");
const onPointerChange = (listener) => {
  const query = coarsePointer();
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};

function CountrySelect({ countries, preferredCount, chosen, onChoose, words, disabled, look }) {
  const option = ({ iso2, name, dialCode }) => (
    <option key={iso2} value={iso2}>
      {look.dialCodeInList ? `${name} (+${dialCode})` : name}
    </option>
  );
  return (
    <span className="phone-picker">
      <Selected country={chosen} look={look} />
      <select
        className="phone-native"
        aria-label={words.country}
        value={chosen?.iso2 ?? ""}
        disabled={disabled}
        onChange={(event) => onChoose(countries.find(({ iso2 }) => iso2 === event.target.value))}
      >
        {!chosen && (
          <option value="" disabled>
            {words.noCountry}
          </option>
        )}
        {countries.slice(0, preferredCount).map(option)}
        {preferredCount > 0 && preferredCount < countries.length && <hr />}
        {countries.slice(preferredCount).map(option)}
      </select>
    </span>
  );
}
