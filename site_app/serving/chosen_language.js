{
  const match = /(?:^|; )lang=(LANGUAGES)(?:;|$)/.exec(document.cookie);
  if (match) {
    const path = location.pathname.replace(/\/$/, "");
    location.replace(`/${match[1]}${path}${location.search}${location.hash}`);
  }
}
