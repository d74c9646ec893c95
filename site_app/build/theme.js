try{localStorage.theme=="dark"&&(document.documentElement.classList.add("dark"),document.querySelector("meta[name=theme-color]").content="#120d1d")}catch{}
