/** The colours of the page: as the system has them, or as they were chosen in this browser. */
const NAME = 'theme';

export const THEMES = ['system', 'light', 'dark'];

export const theme = () => localStorage.getItem(NAME) ?? 'system';

/** @param {string} chosen one of the themes */
export function choose(chosen) {
  if (chosen === 'system') localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, chosen);
  apply();
}

function apply() {
  document.documentElement.dataset.theme = theme();
}

apply();
addEventListener('storage', apply); // chosen in another tab
