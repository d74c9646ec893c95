// When a slot begins: its id says so, as 20300102T0930Z.
export const slotMoment = (id) => new Date(id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:00Z"));
