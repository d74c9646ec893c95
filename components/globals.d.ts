// Types that the compiler does not know: of the page, of Reflex's build, and of packages that only that build installs.

interface Window {
  early?: { type: string, target: any }[]; // clicks, presses and submits from before the page's script ran
  hydratedAt?: number; // the time at which React had taken over the page
  insights?: (view: { route: string, path: string, referrer: string }) => void;
  wholeStyle?: () => Promise<unknown>;
  __reactRouterContext: object;
  __reactRouterManifest?: { routes: Record<string, { id: string, path?: string, module: string, imports: string[] }> };
  __reactRouterRouteModules: Record<string, object>;
}
interface WindowEventMap {
  "draft": CustomEvent<{ name: string, from?: string }>;
  "page-shown": CustomEvent<{ from: string, pathname: string }>;
  "preload-error": CustomEvent;
  "snackbar": CustomEvent;
  "snackbar-hide": CustomEvent<string>;
  "snackbar-action": CustomEvent<{ action: string }>;
}
interface EventTarget { // of the page's events: an element, or the document and the window, which lack these
  closest?: (selector: string) => any;
  matches?: (selector: string) => boolean;
}
interface ParentNode {
  querySelector(selector: string): any;
  querySelectorAll(selector: string): NodeListOf<any>;
}
interface Navigator { connection?: { saveData: boolean, effectiveType: string }, globalPrivacyControl?: boolean }
interface ImportMeta { env: { DEV: boolean } }

declare module "$/build_parts/configuration" {
  export const LOCALES: { id: string, tag: string, prefix: string }[];
  export const PAGE_VIEWS: string, HEADLINE_LANGUAGE: string;
  type Font = [family: string, source: string, descriptors: { weight: string }];
  export const HEADLINE_FONT: Font, BRAND_FONT: Font;
}
declare module "$/build_parts/messages" {
  export const ICONS: Record<string, string>;
  export const TIMEOUTS_MS: Record<string, number>;
  export const MESSAGES: Record<string, Record<string, string> & { offer: Record<string, string> }>;
}
declare module "$/static_first/built" {
  export const CORE: string[], MANIFEST: string, ROOT: string, ENTRY: string;
}
declare module "$/static_first/own_documents" {
  export const OWN_DOCUMENTS: string[];
  export const LEFT_BY_REACT: string[];
}
declare module "$/utils/state" {
  export const refs: Record<string, any>; // of Reflex: elements by id, and what its browser events call
}
declare module "@emotion/react" { export const jsx: any; }
declare module "react-router" {
  type Place = { pathname: string, search: string, hash: string, key: string };
  export const useLocation: () => Place, useNavigationType: () => "POP" | "PUSH" | "REPLACE";
  export const useNavigate: () => (to: string, how?: { replace?: boolean, viewTransition?: boolean }) => void;
  export const Scripts: any, UNSAFE_FrameworkContext: any;
}
declare module "libphonenumber-js/max" {
  export const getCountries: () => string[], getCountryCallingCode: (country: string) => string, isSupportedCountry: (code: string) => boolean;
  export const Metadata: any, parsePhoneNumberFromString: any, validatePhoneNumberLength: any;
}
declare module "react-phone-number-input/locale/*" { const names: Record<string, string>; export default names; }
declare module "*.css";
