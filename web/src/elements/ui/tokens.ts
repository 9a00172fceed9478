import { type CSSResult, css, unsafeCSS } from "lit";

/**
 * Every token with its dark and light value. Pages override them with `--bev-<name>`.
 */
export const TOKENS: Readonly<Record<string, readonly [dark: string, light: string]>> =
	{
		bg: ["#0e1116", "#f4f5f7"],
		panel: ["#151a21", "#ffffff"],
		raise: ["#1c222b", "#eef0f3"],
		line: ["#262e39", "#dde1e7"],
		edge: ["#626d7d", "#8b95a3"],
		ink: ["#e6e9ee", "#161a20"],
		ink2: ["#9aa5b4", "#525d6c"],
		ink3: ["#8390a2", "#5f6b7a"],
		"warn-ink": ["#ffd24d", "#8a6600"],
		accent: ["#6ea8fe", "#1f6feb"],
		"on-accent": ["#0b1220", "#ffffff"],
		ground: ["#0b0e12", "#eef0f2"],
		aerial: ["0.5", "0.7"],
		road: ["#191f27", "#ffffff"],
		mark: ["#3a4554", "#b9c2cd"],
		crosswalk: ["#b98a2f", "#c98a12"],
		ego: ["#ffb454", "#d96c00"],
		vehicle: ["#56b4e9", "#0072b2"],
		pedestrian: ["#3fcf9b", "#00835f"],
		cyclist: ["#d78bd0", "#a8479f"],
		other: ["#8b97a8", "#6b7686"],
		predicted: ["#ff5fa8", "#c4126b"],
		// Models 2 to 4, told apart with any kind of colour vision; 1 is that of predictions.
		"model-1": ["var(--bev-predicted, #ff5fa8)", "var(--bev-predicted, #c4126b)"],
		"model-2": ["#f0e442", "#a87800"],
		"model-3": ["#8ff5ff", "#00929a"],
		"model-4": ["#8a7dff", "#2b1a8c"],
		red: ["#ff5d5d", "#d92d20"],
		yellow: ["#ffd24d", "#b98900"],
		green: ["#47d16c", "#138a36"],
		"on-red": ["#0b0e12", "#ffffff"],
		"on-yellow": ["#0b0e12", "#0b0e12"],
		"on-green": ["#0b0e12", "#000000"],
	};

/**
 * Elements read `--_name`, so that a page's `--bev-name` applies in every shadow tree.
 */
function declarations(theme: 0 | 1): CSSResult {
	const lines = Object.entries(TOKENS).map(
		([name, values]) => `--_${name}: var(--bev-${name}, ${values[theme]});`,
	);
	return unsafeCSS(lines.join("\n"));
}

export const tokens = css`
:host {
	color-scheme: dark;
	${declarations(0)}
	--_sans: var(--bev-sans, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif);
	--_mono: var(--bev-mono, ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace);
}
@media (prefers-color-scheme: light) {
	:host { color-scheme: light; ${declarations(1)} }
}
:host([theme="dark"]) { color-scheme: dark; ${declarations(0)} }
:host([theme="light"]) { color-scheme: light; ${declarations(1)} }
`;
