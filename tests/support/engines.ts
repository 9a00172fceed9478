import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type firefox } from "playwright-core";
import { launchWebKit } from "./webkit.js";

/** The browser engine that tests run in: BEV_ENGINE, or Chromium. */
export type Engine = "chromium" | "firefox" | "webkit";
export const ENGINE: Engine = engineNamed(process.env.BEV_ENGINE ?? "chromium");

/** Debian's Chromium, or the one named by BEV_CHROMIUM. */
export const CHROMIUM = process.env.BEV_CHROMIUM ?? "/usr/bin/chromium";

/**
 * Chromium's headless shell: the same engine without the browser around it, which opens a
 * page in half the time. It does not play H.264.
 */
const SHELL = process.env.BEV_CHROMIUM ?? "/usr/lib/chromium/chromium-headless-shell";
const FIREFOX = process.env.BEV_FIREFOX ?? "/usr/bin/firefox-esr";

export const FLAGS: readonly string[] = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
];

function engineNamed(name: string): Engine {
	if (name === "chromium" || name === "firefox" || name === "webkit") return name;
	throw new Error(
		`BEV_ENGINE: unknown engine (found ${name}, expected chromium, firefox or webkit)`,
	);
}

/**
 * Debian's Firefox over WebDriver BiDi. Newer versions of Playwright require commands
 * that this Firefox lacks, so the version is that of `scripts/node/engines`.
 */
function launchFirefox(): Promise<Browser> {
	const home = fileURLToPath(
		new URL("../../build/engines/package.json", import.meta.url),
	);
	const playwright = createRequire(home)("playwright-core") as {
		readonly firefox: typeof firefox;
	};
	return playwright.firefox.launch({
		channel: "moz-firefox",
		executablePath: FIREFOX,
		headless: true,
		firefoxUserPrefs: {
			// As in Chromium's tests, unless one asks for another theme.
			"ui.systemUsesDarkTheme": 1,
			"ui.prefersReducedMotion": 0,
		},
	});
}

/** Launches a browser with a new profile. */
export function launch(executablePath = SHELL): Promise<Browser> {
	if (ENGINE === "firefox") return launchFirefox();
	if (ENGINE === "webkit") return launchWebKit();
	return chromium.launch({ executablePath, args: [...FLAGS], headless: true });
}

/** Launches a browser that plays every video. */
export function launchWhole(): Promise<Browser> {
	return launch(CHROMIUM);
}
