import type { Browser, BrowserContext, Page } from "playwright-core";
import { Session, WindowDriver } from "./webdriver.js";
import type { Handle } from "./webdriver-bridge.js";
import { Locator, type Query } from "./webkit-locator.js";

const DRIVER = process.env.BEV_WEBKIT_DRIVER ?? "/usr/bin/WebKitWebDriver";

/** WebDriver's characters of keys that Playwright names. */
const KEYS: Readonly<Record<string, string>> = {
	Shift: "\uE008",
	Control: "\uE009",
	Alt: "\uE00A",
	Meta: "\uE03D",
	Tab: "\uE004",
	Enter: "\uE007",
	Space: " ",
	Escape: "\uE00C",
	Backspace: "\uE003",
	Delete: "\uE017",
	Home: "\uE011",
	End: "\uE010",
	PageUp: "\uE00E",
	PageDown: "\uE00F",
	ArrowLeft: "\uE012",
	ArrowUp: "\uE013",
	ArrowRight: "\uE014",
	ArrowDown: "\uE015",
};

/** Reports errors of the page; the driver has no events. Does not see earlier ones. */
const WATCH = `() => {
	window.__complaints ??= [];
	const tell = (text) => window.__complaints.push(String(text));
	addEventListener("error", ({ message }) => tell(message));
	addEventListener("unhandledrejection", ({ reason }) => tell(reason));
	addEventListener("securitypolicyviolation", ({ blockedURI }) => {
		// The browser's own request for an icon.
		if (!blockedURI.endsWith("/favicon.ico")) tell("blocked: " + blockedURI);
	});
}`;

type Listener = (event: unknown) => void;

interface Size {
	readonly width: number;
	readonly height: number;
}

/** Playwright's keyboard, with WebDriver's actions. */
class Keyboard {
	constructor(private readonly driver: WindowDriver) {}

	press(keys: string): Promise<void> {
		const all = keys === "+" ? ["+"] : keys.split("+");
		const values = all.map((key) => KEYS[key] ?? key);
		return this.#act([
			...values.map((value) => ({ type: "keyDown", value })),
			...[...values].reverse().map((value) => ({ type: "keyUp", value })),
		]);
	}

	async type(text: string): Promise<void> {
		for (const letter of text) await this.press(letter);
	}

	down(key: string): Promise<void> {
		return this.#act([{ type: "keyDown", value: KEYS[key] ?? key }]);
	}

	up(key: string): Promise<void> {
		return this.#act([{ type: "keyUp", value: KEYS[key] ?? key }]);
	}

	#act(actions: readonly object[]): Promise<void> {
		return this.driver.act({ type: "key", id: "keyboard" }, actions);
	}
}

/** Playwright's mouse, with WebDriver's actions. */
class Mouse {
	constructor(private readonly driver: WindowDriver) {}

	move(x: number, y: number): Promise<void> {
		return this.#act([this.#to(x, y)]);
	}

	down(): Promise<void> {
		return this.#act([{ type: "pointerDown", button: 0 }]);
	}

	up(): Promise<void> {
		return this.#act([{ type: "pointerUp", button: 0 }]);
	}

	click(x: number, y: number): Promise<void> {
		const press = ["pointerDown", "pointerUp"].map((type) => ({ type, button: 0 }));
		return this.#act([this.#to(x, y), ...press]);
	}

	#to(x: number, y: number): object {
		return { type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 };
	}

	#act(actions: readonly object[]): Promise<void> {
		const parameters = { pointerType: "mouse" };
		return this.driver.act({ type: "pointer", id: "mouse", parameters }, actions);
	}
}

/** The part of Playwright's `Page` that the tests of the platform need. */
class WebKitPage {
	readonly keyboard: Keyboard;
	readonly mouse: Mouse;
	#listeners: Listener[] = [];

	constructor(readonly driver: WindowDriver) {
		this.keyboard = new Keyboard(driver);
		this.mouse = new Mouse(driver);
	}

	setDefaultTimeout(): void {}

	on(event: string, listener: Listener): void {
		if (event === "pageerror") this.#listeners.push(listener);
	}

	async goto(url: string): Promise<void> {
		await this.driver.command("/url", { url });
		await this.driver.run(WATCH);
	}

	async reload(): Promise<void> {
		await this.driver.command("/refresh", {});
		await this.driver.run(WATCH);
	}

	async evaluate<T>(work: string | ((arg: never) => T), arg?: unknown): Promise<T> {
		try {
			return await this.driver.run<T>(String(work), arg);
		} finally {
			await this.#tell();
		}
	}

	evaluateHandle(work: string | ((arg: never) => unknown), arg?: unknown) {
		return this.driver.run<Handle>(String(work), arg, true);
	}

	async waitForFunction(work: (arg: never) => unknown, arg?: unknown): Promise<void> {
		const code = `async (arg) => {
			for (const end = Date.now() + 30000; Date.now() < end; )
				if (await (${work})(arg)) return;
				else await new Promise((next) => setTimeout(next, 15));
			throw new Error("the condition is not met");
		}`;
		await this.driver.run(code, arg);
	}

	/** Sets the size of the page, which is smaller than its window. */
	async setViewportSize({ width, height }: Size): Promise<void> {
		const inner = () => this.driver.run<number[]>("[innerWidth, innerHeight]");
		await this.driver.command("/window/rect", { x: 0, y: 0, width, height });
		for (let tries = 0; tries < 20; tries += 1) {
			const [w = 0, h = 0] = await inner();
			if (w === width && h === height) return;
			const rect = (await this.driver.command("/window/rect")) as Size;
			const size = { width: rect.width + width - w, height: rect.height + height - h };
			await this.driver.command("/window/rect", { x: 0, y: 0, ...size });
		}
		throw new Error(`the page is ${await inner()}, expected ${width},${height}`);
	}

	async addStyleTag({ url }: { url: string }): Promise<void> {
		await this.driver.run(
			`(href) => new Promise((onload, onerror) => document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload, onerror })))`,
			url,
		);
	}

	locator(css: string, { hasText }: { hasText?: string } = {}): Locator {
		return this.#find({ css, text: hasText });
	}

	getByRole(role: string, options: { name?: string | RegExp; exact?: boolean } = {}) {
		return this.#find({ role, ...options });
	}

	getByText(text: string | RegExp, options: { exact?: boolean } = {}): Locator {
		return this.#find({ text, ...options });
	}

	#find(query: Query): Locator {
		return new Locator(this.driver, query, this.mouse);
	}

	async close(): Promise<void> {
		await this.driver.session.close();
	}

	/** Passes the page's errors so far to the listeners. */
	async #tell(): Promise<void> {
		const all = await this.driver.run<string[]>(
			"(window.__complaints ?? []).splice(0)",
		);
		for (const text of all) for (const listener of this.#listeners) listener(text);
	}
}

/** Throws for members of Playwright's interface that `partial` does not have. */
function only<T extends object>(partial: object): T {
	return new Proxy(partial, {
		get(target, name) {
			const value: unknown = Reflect.get(target, name, target);
			if (value === undefined && typeof name === "string" && name !== "then")
				throw new Error(`WebKit's driver: no ${name}`);
			return typeof value === "function" ? value.bind(target) : value;
		},
	}) as T;
}

/** A profile of its own: the driver has one session, so each has a driver. */
class WebKitContext {
	readonly #pages: Page[] = [];

	constructor(
		readonly session: Session,
		private readonly size: Size | undefined,
	) {}

	async newPage(): Promise<Page> {
		const first = this.#pages.length === 0;
		const opened = first
			? await this.session.command("GET", "/window")
			: await this.session.command("POST", "/window/new", { type: "tab" });
		const window =
			typeof opened === "string" ? opened : (opened as { handle: string }).handle;
		const page = new WebKitPage(new WindowDriver(this.session, window));
		if (this.size) await page.setViewportSize(this.size);
		this.#pages.push(only<Page>(page));
		return only<Page>(page);
	}

	close(): Promise<void> {
		return this.session.close();
	}
}

/** Debian's WebKitGTK behind the part of Playwright's interface that tests need. */
class WebKitBrowser {
	readonly #contexts = new Map<WebKitContext, BrowserContext>();

	contexts(): BrowserContext[] {
		return [...this.#contexts.values()];
	}

	async newContext({ viewport }: { viewport?: Size } = {}): Promise<BrowserContext> {
		const context = new WebKitContext(await Session.start(DRIVER, {}), viewport);
		const close = async () => {
			this.#contexts.delete(context);
			await context.close();
		};
		const newPage = () => context.newPage();
		const shown = only<BrowserContext>({ newPage, close });
		this.#contexts.set(context, shown);
		return shown;
	}

	async newPage(): Promise<Page> {
		return (await this.newContext()).newPage();
	}

	async close(): Promise<void> {
		for (const context of this.contexts()) await context.close();
	}
}

/** Returns WebKitGTK, which starts with the first page. */
export async function launchWebKit(): Promise<Browser> {
	return only<Browser>(new WebKitBrowser());
}
