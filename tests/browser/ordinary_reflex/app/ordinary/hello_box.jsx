import { useEffect, useState } from "react";

export function HelloBox({ label, onPick }) {
  const [count, setCount] = useState(0);
  const [note, setNote] = useState("");
  useEffect(() => setNote("effect"), []);
  const pick = () => {
    setCount(count + 1);
    onPick(count + 1);
  };
  return (
    <button type="button" onClick={pick}>
      {label} {count} {note}
    </button>
  );
}
