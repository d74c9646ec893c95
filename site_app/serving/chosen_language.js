{const chosen=/(?:^|; )lang=(LANGUAGES)(?:;|$)/.exec(document.cookie);if(chosen)location.replace("/"+chosen[1]+location.pathname.replace(/\/$/,"")+location.search+location.hash)}
