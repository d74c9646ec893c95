// Where React Router finds no page: on to where the page has moved, or home with a word about it.
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { REDIRECTS } from "$/build_parts/site";
import { bare, inLocale, localeOf } from "$/components/browser/locale";
import { NOT_FOUND } from "$/components/browser/page_not_found";

export const Elsewhere = () => {
  const { pathname, search } = useLocation(), navigate = useNavigate();
  useEffect(() => {
    const language = localeOf(pathname), moved = REDIRECTS[bare(pathname)];
    navigate(moved ? inLocale(moved, language) + search : inLocale("/", language) + NOT_FOUND, { replace: true });
  }, []);
  return null;
};
