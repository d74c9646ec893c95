try{localStorage.theme=="dark"&&document.documentElement.classList.add("dark")}catch{}
