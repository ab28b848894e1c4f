// Runs before the page is drawn, so that nothing flashes or moves: says that scripts run, and takes the chosen theme.
// It is small and blocks drawing on purpose; everything else is a deferred module.
{
  const top = document.documentElement;
  if ("noModule" in HTMLScriptElement.prototype) top.classList.add("scripted");
  try {
    const theme = JSON.parse(localStorage.getItem("theme"));
    if (theme === "light" || theme === "dark") top.dataset.theme = theme;
  } catch {
    // Without a memory, or with something strange in it, the system's scheme counts.
  }
}
