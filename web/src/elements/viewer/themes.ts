/** Colours of the viewer; `auto` is the system's preference. */
export const THEMES = ["auto", "dark", "light"] as const;
/** One of them. */
export type Theme = (typeof THEMES)[number];

/** Returns the theme that the button chooses. */
export function nextTheme(theme: Theme): Theme {
	return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
}
