try{localStorage.theme=="dark"&&(document.documentElement.classList.add("dark"),document.querySelector("meta[name=theme-color]").content="{dark}")}catch{}onclick=event=>{window.early=event.target}
