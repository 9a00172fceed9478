import { resolved } from "../open/places.js";
import { shownAddress } from "../open/secrets.js";
import type { ViewerController } from "../session/controller.js";
import { formatLink, type LinkState, parseLink } from "./link.js";
import { isOpenAt, LINK_DEFAULTS } from "./link-of.js";
import { carriesSecret } from "./link-secrets.js";

/** Minimum interval between updates of the address bar. */
const PACE_MS = 250;

const NO_SOURCE =
	"The link contains no data set. Open local files or signed URLs again.";

/** The part of `window` that link synchronisation uses. */
export interface LinkHost {
	readonly location: { readonly href: string; readonly hash: string };
	readonly history: Pick<History, "replaceState" | "pushState">;
	addEventListener(type: "hashchange" | "popstate", listener: () => void): void;
	removeEventListener(type: "hashchange" | "popstate", listener: () => void): void;
}

export interface LinkSyncOptions {
	readonly controller: ViewerController;
	readonly host: LinkHost;
	/** Asks the user before data of another site is read. */
	readonly ask: (address: string, start: LinkState) => void;
}

/**
 * Synchronises the page's fragment and a viewer's state. For pages that consist of the
 * viewer; a page that embeds it owns its address.
 */
export class LinkSync {
	readonly #options: LinkSyncOptions;
	readonly #unsubscribe: () => void;
	#unknown: readonly (readonly [string, string])[] = [];
	#timer: ReturnType<typeof setTimeout> | undefined;
	#written = "";
	/** The data set last named by the page's address. */
	#given: string | undefined;
	/** Data set and scene of the newest history entry. */
	#entry = "";

	constructor(options: LinkSyncOptions) {
		this.#options = options;
		const { controller, host } = options;
		this.#unsubscribe = controller.store.subscribe(() => {
			this.#timer ??= setTimeout(() => this.#write(), PACE_MS);
		});
		host.addEventListener("hashchange", this.#onHash);
		host.addEventListener("popstate", this.#onHash);
	}

	dispose(): void {
		this.#unsubscribe();
		clearTimeout(this.#timer);
		this.#options.host.removeEventListener("hashchange", this.#onHash);
		this.#options.host.removeEventListener("popstate", this.#onHash);
	}

	/** Applies the page's fragment. */
	read(): void {
		const { controller, host, ask } = this.#options;
		const { state, unknown, bad } = parseLink(host.location.hash);
		this.#unknown = unknown;
		this.#written = host.location.hash.replace(/^#/, "");
		this.#given = state.src;
		if (state.src === undefined) {
			controller.adjust(state);
			controller.notify(...bad);
			if (this.#written !== "" && controller.state.phase === "empty") {
				controller.notify(NO_SOURCE);
			}
			return;
		}
		const url = resolved(state.src, host.location.href);
		this.#entry = entryOf(state);
		if (isOpenAt(controller.state, url, host.location.href))
			controller.goTo({ ...LINK_DEFAULTS, ...state });
		else if (!url)
			controller.notify(
				`Link: ignored src=${shownAddress(state.src)} (expected a URL)`,
			);
		else if (url.origin !== new URL(host.location.href).origin) ask(state.src, state);
		else void controller.open({ kind: "address", address: state.src }, state);
		controller.notify(...bad);
	}

	readonly #onHash = (): void => {
		if (this.#options.host.location.hash.replace(/^#/, "") !== this.#written)
			this.read();
	};

	#write(): void {
		this.#timer = undefined;
		const { controller, host } = this.#options;
		const { phase, place } = controller.state;
		if (phase !== "ready") return;
		// Local files have no address. A credential is written to the page's address only
		// if it came from there.
		const full = place?.kind === "address" ? controller.linkState() : {};
		const state = carriesSecret(full) && full.src !== this.#given ? {} : full;
		const link = formatLink(state, this.#unknown);
		if (link === this.#written) return;
		const entry = entryOf(state);
		if (this.#entry !== "" && entry !== this.#entry) {
			host.history.pushState(null, "", `#${link}`);
		} else host.history.replaceState(null, "", `#${link}`);
		this.#written = link;
		this.#entry = entry;
	}
}

function entryOf({ src, scene }: LinkState): string {
	return `${src} ${scene ?? 0}`;
}
