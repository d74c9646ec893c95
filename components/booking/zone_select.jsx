// Whose clock the times are on: searchable where there is a mouse, the device's own list on touch.
import { useMemo } from "react";
import { zoneOptions } from "$/components/booking/places";
import { slotMoment } from "$/components/booking/slot_moment";
import { Combobox } from "$/components/ui/combobox";
import { Field } from "$/components/ui/field";
import { SelectMark, useFinePointer } from "$/components/ui/select";

const ID = "booking-zone";

export const ZoneSelect = ({ time, view, zones, words }) => {
  const isFine = useFinePointer();
  // The offset is that of the day in question, not of today.
  const day = (view.choice ? slotMoment(view.choice) : new Date(view.slots?.[0]?.start ?? Date.now())).toISOString().slice(0, 10);
  const options = useMemo(() => zoneOptions(zones, new Date(`${day}T12:00:00Z`), words), [zones, day, words]);
  const choose = (zone) => zone && time.move(zone);
  return (
    <Field id={ID} label={words.zone} className="zone">
      <div className="select">
        {isFine ? (
          <Combobox id={ID} name="zone" aria={{}} required options={options} value={view.zone} words={words.zoneList} onChoose={choose} />
        ) : (
          <select id={ID} className="control control-select" value={view.zone} onChange={({ target }) => choose(target.value)}>
            {!options.some((one) => one.value === view.zone) && <option value={view.zone}>{view.zone}</option>}
            {options.map((one) => <option key={one.value} value={one.value}>{one.label}</option>)}
          </select>
        )}
        <SelectMark />
      </div>
    </Field>
  );
};
