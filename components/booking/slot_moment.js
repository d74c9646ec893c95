// When a slot begins: as it was listed, else as its id says, which of ours is 20300102T0930Z.
const starts = new Map();

export const learnSlots = (slots) => {
  for (const { id, start } of slots) starts.set(id, start);
};
export const slotMoment = (id) => new Date(starts.get(id) ?? id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:00Z"));
