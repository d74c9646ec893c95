// A country's flag: one small file each, served by us (see flags() in plugin.py), loaded lazily.

/** The flag of a country; decorative, because the name is beside it. */
export const Flag = ({ iso2 }) => (
  <img className="phone-flag" src={`/flags/${iso2}.svg`} alt="" width="24" height="16" loading="lazy" decoding="async" />
);

/** The content of the closed selector. Without a country a globe reserves the flag's space, so that nothing shifts later. */
export const Selected = ({ country = null, look }) => (
  <span className="phone-selected" aria-hidden="true">
    {look.flags && (country ? <Flag iso2={country.iso2} /> : <Globe />)}
    {!look.flags && !look.dialCodeInSelection && <span>{country?.iso2 ?? "··"}</span>}
    {look.dialCodeInSelection && <span className="phone-dial">{country ? `+${country.dialCode}` : "+"}</span>}
    <svg className="phone-arrow" viewBox="0 0 10 6" width="10" height="6">
      <path d="m1 1 4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  </span>
);

const Globe = () => (
  <svg className="phone-flag phone-globe" viewBox="0 0 24 16" width="24" height="16" fill="none" stroke="currentColor">
    <circle cx="12" cy="8" r="7" />
    <path d="M5 8h14M12 1c-4 4-4 10 0 14M12 1c4 4 4 10 0 14" />
  </svg>
);
