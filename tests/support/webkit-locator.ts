import { setTimeout as sleep } from "node:timers/promises";
import type { WindowDriver } from "./webdriver.js";

/** Beside other jobs, WebKitGTK takes half a minute for what Chromium does in two seconds. */
const PATIENCE_MS = 90_000;

/** Conditions that an element meets. */
export interface Query {
	readonly css?: string | undefined;
	readonly role?: string | undefined;
	readonly name?: string | RegExp | undefined;
	readonly text?: string | RegExp | undefined;
	readonly exact?: boolean | undefined;
}

/** A query as plain values: a text is a case-insensitive part, or a pattern. */
type Plain = Readonly<Record<string, unknown>>;

/**
 * Code that finds elements in the page, across shadow roots. Roles and names follow
 * ARIA as far as the viewer uses it.
 */
const FIND = `(query) => {
	const ROLES = { BUTTON: "button", A: "link", DIALOG: "dialog", SELECT: "combobox", H1: "heading", H2: "heading", H3: "heading", TEXTAREA: "textbox", TABLE: "table", IMG: "img" };
	const INPUTS = { range: "slider", checkbox: "checkbox", radio: "radio", search: "searchbox", number: "spinbutton", button: "button", submit: "button" };
	const words = (text) => (text ?? "").replace(/\\s+/g, " ").trim();
	const matches = (wanted, found) => wanted.source !== undefined
		? new RegExp(wanted.source, wanted.flags).test(found)
		: wanted.exact ? found === wanted.words : found.toLowerCase().includes(wanted.words.toLowerCase());
	const roleOf = (at) => at.getAttribute("role") ?? (at.tagName === "INPUT" ? INPUTS[at.type] ?? "textbox" : ROLES[at.tagName]);
	const nameOf = (at) => {
		const by = at.getAttribute("aria-labelledby")?.split(" ").map((id) => at.getRootNode().getElementById(id)?.textContent).join(" ");
		const label = [...(at.labels ?? [])].map((one) => one.textContent).join(" ");
		return words(by || at.getAttribute("aria-label") || label || at.textContent || at.getAttribute("title"));
	};
	const visible = (at) => at.checkVisibility({ visibilityProperty: true });
	const found = [];
	const walk = (root) => {
		for (const at of root.children) {
			const before = found.length;
			if (at.shadowRoot) walk(at.shadowRoot);
			walk(at);
			if (["STYLE", "SCRIPT", "HEAD"].includes(at.tagName)) continue;
			if (query.css && !at.matches(query.css)) continue;
			if (query.role && (roleOf(at) !== query.role || !visible(at))) continue;
			if (query.name && !matches(query.name, nameOf(at))) continue;
			// A text belongs to the innermost element.
			if (query.text && (!matches(query.text, words(at.textContent)) || (!query.css && found.length > before))) continue;
			found.push(at);
		}
	};
	walk(document);
	return { found, visible };
}`;

function wanted(text: string | RegExp | undefined, exact = false): unknown {
	if (text === undefined) return undefined;
	return text instanceof RegExp
		? { source: text.source, flags: text.flags }
		: { words: text, exact };
}

interface Pointer {
	click(x: number, y: number): Promise<void>;
}

/** The part of Playwright's `Locator` that the tests of the platform need. */
export class Locator {
	constructor(
		private readonly driver: WindowDriver,
		private readonly query: Query,
		private readonly mouse: Pointer,
	) {}

	first(): Locator {
		return this;
	}

	count(): Promise<number> {
		return this.#ask("({ found }) => found.length");
	}

	allTextContents(): Promise<string[]> {
		return this.#ask("({ found }) => found.map((one) => one.textContent)");
	}

	isVisible(): Promise<boolean> {
		return this.#ask("({ found: [one], visible }) => one ? visible(one) : false");
	}

	async isEnabled(): Promise<boolean> {
		await this.waitFor({ state: "attached" });
		return this.#ask("({ found: [one] }) => !one.disabled");
	}

	/** Waits until an element is visible or, if so asked, only present. */
	async waitFor({ state = "visible" }: { state?: string } = {}): Promise<void> {
		const code =
			state === "attached"
				? "({ found }) => found.length > 0"
				: "({ found, visible }) => found.some(visible)";
		for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(25))
			if (await this.#ask<boolean>(code)) return;
		throw new Error(`not ${state}: ${JSON.stringify(this.#plain())}`);
	}

	async evaluate<T>(work: (one: never, arg: never) => T, arg?: unknown): Promise<T> {
		await this.waitFor({ state: "attached" });
		return this.#ask(`({ found: [one] }, arg) => (${work})(one, arg)`, arg);
	}

	getAttribute(name: string): Promise<string | null> {
		return this.evaluate((one: Element, key: string) => one.getAttribute(key), name);
	}

	textContent(): Promise<string | null> {
		return this.evaluate((one: Element) => one.textContent);
	}

	focus(): Promise<void> {
		return this.evaluate((one: HTMLElement) => one.focus());
	}

	async boundingBox() {
		return this.evaluate((one: Element) => {
			const { x, y, width, height } = one.getBoundingClientRect();
			return { x, y, width, height };
		});
	}

	async click(): Promise<void> {
		await this.waitFor();
		await this.evaluate((one: Element) => one.scrollIntoView({ block: "nearest" }));
		const { x, y, width, height } = await this.boundingBox();
		await this.mouse.click(x + width / 2, y + height / 2);
	}

	#plain(): Plain {
		const { css, role, name, text, exact } = this.query;
		return { css, role, name: wanted(name, exact), text: wanted(text, exact) };
	}

	/** Runs `code` with the elements found. */
	#ask<T>(code: string, arg?: unknown): Promise<T> {
		return this.driver.run(`([query, arg]) => (${code})((${FIND})(query), arg)`, [
			this.#plain(),
			arg,
		]);
	}
}
