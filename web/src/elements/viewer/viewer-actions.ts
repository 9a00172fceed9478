import type { AgentTable } from "../agents/agent-table.js";
import type { CommandDialog } from "../commands/command-dialog.js";
import type { CommandTargets } from "../commands/command-list.js";
import { withEditor } from "../edits/load-edits.js";
import type { KeyPress } from "../keys/key-press.js";
import { handleKey, isCommandKey, stepOf } from "../keys/keys.js";
import { formatLink } from "../link/link.js";
import { carriesSecret, withoutCredentials } from "../link/link-secrets.js";
import type { Share } from "../link/share.js";
import type { Selection } from "../scene-view/picking.js";
import type { SceneView } from "../scene-view/scene-view.js";
import { defineLazy } from "../ui/define-lazy.js";
import type { Steps } from "./steps.js";
import { nextTheme } from "./themes.js";
import type { TopBarActions } from "./top-bar.js";
import type { ViewerHost } from "./viewer-host.js";

/** Returns whether `host` is in full screen mode. */
export function isFullScreen(host: Element): boolean {
	const root = host.getRootNode();
	const within = root instanceof ShadowRoot || root instanceof Document ? root : null;
	return within?.fullscreenElement === host;
}

/** Toggles full screen mode of `host`. Does nothing if the browser refuses. */
export function toggleFullScreen(host: Element): void {
	const done = isFullScreen(host)
		? document.exitFullscreen()
		: host.requestFullscreen();
	done.catch(() => {}); // refused by the browser or by the embedding frame
}

/** Loads the dialogs, by tag. */
const DIALOGS = {
	"bev-commands": async () =>
		(await import("../commands/command-dialog.js")).CommandDialog,
	"bev-export": async () => (await import("../export/export-dialog.js")).ExportDialog,
	"bev-find": async () => (await import("../find/find-dialog.js")).FindDialog,
	"bev-gallery": async () =>
		(await import("../gallery/gallery-dialog.js")).GalleryDialog,
	"bev-help": async () => (await import("../keys/help.js")).Help,
} as const;

const COPIED_MS = 1500;

/** Actions of buttons and keys that affect several parts of the viewer. */
export class ViewerActions implements TopBarActions {
	readonly #stage: ViewerHost;
	#chosen: Selection | undefined;

	/** Undo, redo and the selections before. */
	readonly steps: Steps;

	constructor(stage: ViewerHost, steps: Steps) {
		this.#stage = stage;
		this.steps = steps;
	}

	readonly choose = (): void => {
		this.#leaveMenu();
		this.#stage.choosing = true;
		void this.#stage.updateComplete.then(() => this.#part("bev-open")?.focus());
	};

	readonly find = (): void => void this.#find();

	readonly search = (): void => {
		if (this.#stage.controller?.state.dataset?.reader)
			void this.#open("Search", "bev-find");
	};

	readonly save = (): void => {
		if (this.#stage.controller?.state.phase !== "ready") return;
		void this.#open("Export", "bev-export", () => {
			const dialog = this.#stage.renderRoot.querySelector("bev-export");
			if (dialog) dialog.picture = this.#part<SceneView>("bev-scene-view");
		});
	};

	/** Opens the gallery with the list of the state. */
	readonly gallery = (): void => void this.#open("Gallery", "bev-gallery");

	readonly copyLink = (): void => void this.#copyLink();

	readonly nextTheme = (): void => {
		const { controller } = this.#stage;
		if (!controller) return;
		controller.setTheme(nextTheme(controller.state.theme));
	};

	readonly help = (): void => void this.#open("Help", "bev-help");

	readonly sides = (): void => {
		const { layout, controller, renderRoot } = this.#stage;
		const isInSide = renderRoot.querySelector(":is(.left, .right):focus-within");
		const open = layout.toggleSides();
		controller?.announce(open ? "Side panels open" : "Side panels closed");
		if (isInSide && !open) this.skipTo("bev-scene-view");
	};

	readonly timeline = (): void => {
		const { layout } = this.#stage;
		const isClosed = layout.isClosed("plots");
		layout.close(!isClosed, "plots");
		const words = isClosed ? "shown" : "hidden";
		this.#stage.controller?.announce(`Plots and lights ${words}`);
	};

	/** Focuses a part of the viewer. */
	readonly skipTo = (part: string): void => this.#part(part)?.focus();

	readonly fullScreen = (): void => {
		this.#leaveMenu();
		toggleFullScreen(this.#stage);
	};

	/** Steps back: closes what was opened last, or clears the selection. */
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

	/** Closes the sheet, and focuses the button that opens it. */
	readonly closeSheet = (): void => {
		const { layout, updateComplete } = this.#stage;
		const { sheet } = layout;
		layout.sheet = undefined;
		const openers = sheet === "menu" ? ["#menu"] : [`#open-${sheet}`, "#menu"];
		void updateComplete.then(() => {
			for (const opener of openers) {
				const button = this.#part(opener);
				if (button?.getClientRects().length) return button.focus();
			}
		});
	};

	/** Opens the record of the selection. */
	readonly openSelected = (): void => {
		this.#stage.layout.show("selected");
		void this.#stage.updateComplete.then(() => this.#part("#tab-selected")?.focus());
	};

	readonly onKey = (event: KeyPress): void => {
		const targets = this.#targets();
		if (!targets) return;
		if (targets.controller.state.editing?.onKey(event)) {
			event.preventDefault();
			return;
		}
		const step = stepOf(event);
		const act = step ? this.steps[step] : isCommandKey(event) && this.commands;
		if (!act) {
			handleKey(event, targets);
			return;
		}
		event.preventDefault();
		act();
	};

	/** Lets gestures and keys edit the scene, or not. */
	readonly edit = async (): Promise<void> => {
		const { controller, layout } = this.#stage;
		if (controller?.state.phase !== "ready" || !layout.tabs.includes("edits")) return;
		await withEditor(controller, (editor) => {
			const on = !controller.state.editing?.on;
			editor.turn(on);
			if (on) layout.show("edits");
		});
	};

	/** Opens the list of commands. */
	readonly commands = (): void => {
		if (this.#stage.controller?.state.phase !== "ready") return;
		void this.#open("Commands", "bev-commands", () => {
			const dialog = this.#part<CommandDialog>("bev-commands");
			if (dialog) dialog.targets = this.#targets();
		});
	};

	#targets(): CommandTargets | undefined {
		const { controller, linkBase, layout } = this.#stage;
		if (!controller) return undefined;
		return {
			...this,
			controller,
			view: this.#part<SceneView>("bev-scene-view"),
			copyLink: linkBase === undefined ? undefined : this.copyLink,
			panels: layout,
			undo: this.steps.undo,
			redo: this.steps.redo,
			reselect: this.steps.reselect,
		};
	}

	/**
	 * Moves the focus after the focused part `from` was removed. Keyboard users of the
	 * agent table get the record of the selection, and then return to its row; otherwise
	 * the picture is focused.
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

	/** Stores the last selection. */
	noteSelection(selection: Selection): void {
		this.#chosen = selection;
	}

	/** Closes the tools menu, whose button receives the focus after the next dialog. */
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

	/** Loads and opens a dialog; `prepare` is called when it is loaded. */
	async #open(
		what: string,
		tag: keyof typeof DIALOGS,
		prepare: () => void = () => {},
	): Promise<void> {
		this.#leaveMenu();
		try {
			await defineLazy(tag, DIALOGS[tag]);
			prepare();
			const dialog = this.#stage.renderRoot.querySelector(tag);
			await dialog?.updateComplete;
			if (dialog?.isConnected) dialog.show();
		} catch (error) {
			this.#stage.controller?.notify(`${what}: loading failed: ${String(error)}`);
		}
	}

	async #copyLink(): Promise<void> {
		const { controller, linkBase } = this.#stage;
		if (!controller || linkBase === undefined) return;
		if (controller.state.place?.kind !== "address") {
			controller.notify("Not copied: the data set is local and has no URL.");
			return;
		}
		const { review, futures } = controller.state;
		const models = review.models.filter(({ address }) => !address);
		const local = [...models.map(({ name }) => name), ...(futures?.local ?? [])];
		if (local.length > 0) {
			controller.notify(
				`The link lacks local files: ${local.join(", ")}. Send the files with it, or add them by URL`,
			);
		}
		if (controller.state.edits.startsWith("long:"))
			controller.notify("The link lacks the edits: they are too long; save the patch");
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
			this.#stage.controller?.notify(`The clipboard is not available. Link: ${link}`);
		}
	}
}
