import type { Theme } from "../session/state.js";

const AFTER: Readonly<Record<Theme, Theme>> = {
	auto: "dark",
	dark: "light",
	light: "auto",
};

/** Returns the theme that the button chooses. */
export function nextTheme(theme: Theme): Theme {
	return AFTER[theme];
}
