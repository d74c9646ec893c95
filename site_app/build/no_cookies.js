// Stands in for universal-cookie: no state of this site has a cookie (rx.Cookie). One that had would find out here.
const refuse = () => {
  throw new Error("rx.Cookie is left out of this build: see site_app/build/no_cookies.js");
};

export default class {
  get = refuse;
  set = refuse;
  remove = refuse;
}
