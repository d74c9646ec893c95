"""The document around every page: no stylesheet link, no script that waits, no inline script of Reflex's."""

from site_app.build.edit import remove, replace

_CSS_LINKS = (
    'jsx("link",{as:"style",href:reflexGlobalStyles,rel:"preload"},),',
    'jsx("link",{href:reflexGlobalStyles,rel:"stylesheet",type:"text/css"},),',
)
EXCHANGED = {
    '"$/reflex.json"': "reflex.js",
    '"$/env.json"': "environment.js",
    '"@emotion/react"': "jsx.js",
    '"universal-cookie"': "no_cookies.js",
    r"/^\.\/transports\/index\.js$/": "transports.js",
    '"mergician"': "mergician.js",
    '"$/utils/helpers/upload"': "no_uploads.js",
}
_THEME_SCRIPT = r'jsx\("script",\{\},"\\n// Only run in browser environment.*?\\n"\),'


def static_document(text: str) -> str:
    """app/_document.js, with <StockHead/> where the stylesheet, the scripts and the scroll restoration were."""
    text = replace(
        text,
        *[(link, "") for link in _CSS_LINKS],
        ("jsx(ScrollRestoration,{},),", ""),
        ("jsx(Meta,{},),jsx(Links,{},)", ""),  # of routes that export some; Reflex writes them into the page
        ("jsx(Scripts,{},)", "jsx(StockHead,{css:reflexGlobalStyles})"),
    )
    return 'import {StockHead} from "$/build_parts/stock_head"\n' + remove(text, _THEME_SCRIPT)


def vite_config(text: str) -> str:
    """vite.config.js with some modules exchanged for ours: Reflex's one holds the time of the build, which would change every
    hash, its other this build's address, which would tie the files to one host; the packages' are weight without a use here."""
    alias = "alias: [\n"
    ours = "".join(
        f'      {{ find: {theirs}, replacement: fileURLToPath(new URL("./build_parts/{own}", import.meta.url)) }},\n'
        for theirs, own in EXCHANGED.items()
    )
    return replace(text, (alias, alias + ours))


def development_config(text: str, *, backend: str) -> str:
    """vite.config.js of the development server, which passes on what the API answers."""
    port = "port: process.env.PORT,"
    ours = r"^/(v1\\.0|insights|plain|calendar|readyz|(th/|cn/)?(book|meetings|confirm))(/|\\?|$)"
    return replace(text, (port, f'{port}\n    proxy: {{ "{ours}": "{backend}" }},'))
