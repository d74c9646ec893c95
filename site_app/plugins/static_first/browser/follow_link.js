/**
 * Calls `follow` after the handlers of a press on a link, unless one of them prevents it, as rx.prevent_default does. For listeners that
 * capture the press: React Router's own links take it as prevented, and do not follow it a second time.
 */
export const followUnlessPrevented = (event, follow) => {
  let isPrevented = false;
  event.preventDefault();
  event.preventDefault = () => {
    isPrevented = true;
  };
  setTimeout(() => isPrevented || follow());
};
