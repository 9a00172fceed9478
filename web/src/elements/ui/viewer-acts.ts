import type { ReactiveControllerHost } from "lit";
import type { ViewerController } from "../controller.js";
import { handleKey } from "../keys.js";
import { defineExport, defineHelp } from "../lazy.js";
import { carriesSecret, withoutCredentials } from "../link-of.js";
import { formatLink, type Selection } from "../pure/link.js";
import type { Theme } from "../state.js";
import type { AgentTable } from "./agent-table.js";
import { toggleFullScreen } from "./full-screen.js";
import type { Help } from "./help.js";
import type { Pending } from "./open.js";
import type { Panels } from "./panels.js";
import type { SceneView } from "./scene-view.js";
import type { Share } from "./share.js";
import type { TopBarActions } from "./top-bar.js";

const THEMES: readonly Theme[] = ["auto", "dark", "light"];
const COPIED_MS = 1500;

/** What of a viewer its buttons and keys change. */
export interface Stage extends ReactiveControllerHost, HTMLElement {
	readonly controller: ViewerController | undefined;
	readonly renderRoot: ParentNode;
	readonly linkBase: string | undefined;
	readonly layout: Panels;
	/** Other data is being chosen. */
	choosing: boolean;
	/** Data that a link names and that waits for a yes. */
	pending: Pending | undefined;
	copied: boolean;
}

/** What the viewer's buttons and keys do that concerns more than one of its parts. */
export class ViewerActs implements TopBarActions {
	readonly #stage: Stage;
	#chosen: Selection | undefined;

	constructor(stage: Stage) {
		this.#stage = stage;
	}

	readonly choose = (): void => {
		this.#leaveMenu();
		this.#stage.choosing = true;
		void this.#stage.updateComplete.then(() => this.#part("bev-open")?.focus());
	};

	readonly find = (): void => void this.#find();

	readonly save = (): void => void this.#export();

	readonly copyLink = (): void => void this.#copyLink();

	readonly nextTheme = (): void => {
		const { controller } = this.#stage;
		if (!controller) return;
		const at = THEMES.indexOf(controller.state.theme);
		controller.setTheme(THEMES[(at + 1) % THEMES.length] ?? "auto");
	};

	readonly help = (): void => {
		this.#leaveMenu();
		void this.#help();
	};

	readonly sides = (): void => {
		const { layout, controller, renderRoot } = this.#stage;
		const isInSide = renderRoot.querySelector(":is(.left, .right):focus-within");
		const open = layout.toggleSides();
		controller?.announce(open ? "Side panels open" : "Side panels closed");
		if (isInSide && !open) this.skipTo("bev-scene-view");
	};

	/** Puts the focus on a part of the viewer. */
	readonly skipTo = (part: string): void => this.#part(part)?.focus();

	readonly fullScreen = (): void => {
		this.#leaveMenu();
		toggleFullScreen(this.#stage);
	};

	/** One step back: closes what was opened last, or clears what is selected. */
	readonly back = (): void => {
		const stage = this.#stage;
		const { controller } = stage;
		const phase = controller?.state.phase;
		if (stage.choosing) {
			stage.choosing = false;
			controller?.dismissOpening();
		} else if (stage.pending) stage.pending = undefined;
		else if (phase === "opening" || phase === "failed") controller?.close();
		else if (controller?.state.opening) controller.dismissOpening();
		else if (controller?.state.measured) controller.toggleMeasure();
		else if (stage.layout.sheet) this.closeSheet();
		else if (controller?.state.selection !== undefined) controller.select(undefined);
		else if (controller?.state.mapChoice) controller.mapPicker.clear();
		else controller?.hover(undefined);
	};

	/** Closes the sheet; the focus goes to the button that opens it. */
	readonly closeSheet = (): void => {
		const { layout, updateComplete } = this.#stage;
		const { sheet } = layout;
		layout.sheet = undefined;
		const openers = sheet === "menu" ? ["#menu"] : [`#open-${sheet}`, "#menu"];
		void updateComplete.then(() => {
			for (const opener of openers) {
				const button = this.#part(opener);
				if (button?.checkVisibility()) return button.focus();
			}
		});
	};

	/** Opens what the peek says in one line. */
	readonly openSelected = (): void => {
		this.#stage.layout.show("selected");
		void this.#stage.updateComplete.then(() => this.#part("#tab-selected")?.focus());
	};

	readonly onKey = (event: KeyboardEvent): void => {
		const { controller } = this.#stage;
		if (!controller) return;
		const view = this.#part<SceneView>("bev-scene-view");
		handleKey(event, { ...this, controller, view });
	};

	/**
	 * The part `from` went away and took the focus along. Who goes through the table by keys
	 * gets the record of what was chosen, and back to its row; everyone else the picture.
	 */
	async regainFocus(from: Element, visible: boolean): Promise<void> {
		await this.#stage.updateComplete;
		const { controller, choosing, pending } = this.#stage;
		const ready = controller?.state.phase === "ready" && !choosing && !pending;
		const inspector = this.#part("bev-inspector");
		const table = this.#part<AgentTable>("bev-agent-table");
		await table?.updateComplete;
		if (!ready) this.#part("bev-open")?.focus();
		else if (visible && inspector && from.localName === "bev-agent-table")
			inspector.focus();
		else if (!visible || !this.#chosen || !table?.focusRow(this.#chosen)) {
			this.#part("bev-scene-view")?.focus();
		}
	}

	/** Remembers what was selected last. */
	noteSelection(selection: Selection): void {
		this.#chosen = selection;
	}

	/** Of the tools, where they are one; the focus goes back there after what comes now. */
	#leaveMenu(): void {
		const { sheet } = this.#stage.layout;
		if (sheet === "more" || sheet === "menu") this.closeSheet();
	}

	#part<T extends HTMLElement>(name: string): T | null {
		return this.#stage.renderRoot.querySelector<T>(name);
	}

	async #find(): Promise<void> {
		this.#stage.layout.show("agents");
		await this.#stage.updateComplete;
		this.#part<AgentTable>("bev-agent-table")?.find();
	}

	async #help(): Promise<void> {
		try {
			await defineHelp();
			const help = this.#part<Help>("bev-help");
			await help?.updateComplete;
			if (help?.isConnected) help.show();
		} catch (error) {
			this.#stage.controller?.notify(`Help cannot be loaded: ${String(error)}`);
		}
	}

	async #export(): Promise<void> {
		const { controller, renderRoot } = this.#stage;
		if (controller?.state.phase !== "ready") return;
		this.#leaveMenu();
		try {
			await defineExport();
			const dialog = renderRoot.querySelector("bev-export");
			if (!dialog) return;
			dialog.picture = this.#part<SceneView>("bev-scene-view");
			await dialog.updateComplete;
			dialog.show();
		} catch (error) {
			controller.notify(`Saving cannot be loaded: ${String(error)}`);
		}
	}

	async #copyLink(): Promise<void> {
		const { controller, linkBase } = this.#stage;
		if (!controller || linkBase === undefined) return;
		if (controller.state.place?.kind !== "address") {
			controller.notify(
				"Not copied: this data set was opened from a disk or by the page, and a link cannot name it.",
			);
			return;
		}
		const state = controller.linkState();
		const choice = carriesSecret(state)
			? await this.#part<Share>("bev-share")?.ask()
			: "with";
		if (!choice) return;
		const shared = choice === "with" ? state : withoutCredentials(state);
		await this.#write(`${linkBase}#${formatLink(shared)}`);
	}

	async #write(link: string): Promise<void> {
		try {
			await navigator.clipboard.writeText(link);
			this.#stage.copied = true;
			setTimeout(() => {
				this.#stage.copied = false;
			}, COPIED_MS);
		} catch {
			this.#stage.controller?.notify(
				`This browser does not let pages copy. The link: ${link}`,
			);
		}
	}
}
