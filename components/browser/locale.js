// The path alone decides the language: /th/faq is Thai, /faq is English.
import { LOCALES } from "$/build_parts/configuration";

const prefixedLocales = LOCALES.filter((locale) => locale.prefix);
export const english = LOCALES.find((locale) => !locale.prefix);
const isWithin = (path, prefix) => path === prefix || path.startsWith(prefix + "/");
const localeOfPath = (path) => prefixedLocales.find((locale) => isWithin(path, locale.prefix)) ?? english;

/** Returns the id of a path's language, such as "th". */
export const localeOf = (path) => localeOfPath(path).id;
/** Returns the value of the lang attribute for a path. */
export const htmlLang = (path) => localeOfPath(path).tag;
/** Returns the path without its language: /th/faq becomes /faq. */
export const withoutLanguage = (path) => path.slice(localeOfPath(path).prefix.length).replace(/\/+$/, "") || "/";
/** Returns the aria-current of a link: "page" if it leads to the current page, "true" if to one above it, such as the list of an article. */
export const ariaCurrent = (path, href) => {
  const [page, target] = [path, href].map(withoutLanguage);
  return target === page ? "page" : page.startsWith(`${target}/`) ? "true" : undefined;
};
/** Returns the address of the same page in the language with this id. */
export const inLocale = (path, id) => {
  const { prefix } = LOCALES.find((locale) => locale.id === id);
  return (prefix + withoutLanguage(path)).replace(/\/+$/, "") || "/";
};
