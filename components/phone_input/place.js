// Where the open list stands.
import { useLayoutEffect } from "react";

const ROOM = 200; // pixels below the field that let the list open downwards
const LEAST = 120, TALLEST = 360, NARROWEST = 280, WIDEST = 390, MARGIN = 8, GAP = 4;

// Puts the open list over everything, down if there is room below, else up, never beyond the viewport.
export function usePlace(open, menu, anchor) {
  useLayoutEffect(() => {
    if (!open) return;
    const element = menu.current, { style } = element;
    element.showPopover?.();
    element.querySelector(".phone-search")?.focus();
    const place = () => {
      const field = anchor.current.getBoundingClientRect(), { clientWidth, clientHeight } = document.documentElement;
      const below = clientHeight - field.bottom, down = below >= ROOM;
      const room = Math.max((down ? below : field.top) - MARGIN, LEAST);
      const width = Math.min(Math.max(field.width, NARROWEST), WIDEST, clientWidth - 2 * MARGIN);
      style.width = `${width}px`;
      style.maxHeight = `${Math.min(room, TALLEST)}px`;
      style.left = `${Math.min(Math.max(field.left, MARGIN), clientWidth - width - MARGIN)}px`;
      style.top = down ? `${field.bottom + GAP}px` : "auto";
      style.bottom = down ? "auto" : `${clientHeight - field.top + GAP}px`;
      element.dataset.direction = down ? "down" : "up";
    };
    place();
    addEventListener("resize", place);
    addEventListener("scroll", place, true);
    return () => {
      removeEventListener("resize", place);
      removeEventListener("scroll", place, true);
    };
  }, [open]);
}
