import type { ReactiveControllerHost } from "lit";
import type { Example, Pending } from "../open/open.js";
import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";
import type { Panels } from "./panels.js";

/** The viewer, as its parts see it. */
export interface ViewerHost extends ReactiveControllerHost, HTMLElement {
	readonly controller: ViewerController | undefined;
	readonly state: ViewerState;
	readonly renderRoot: ParentNode;
	readonly layout: Panels;
	readonly linkBase: string | undefined;
	readonly controls: string | null;
	readonly painter: string | null;
	readonly gestures: string | null;
	readonly group: string | null;
	readonly example: string | null;
	readonly examples: readonly Example[];
	/** A data set named by a link, which the user has not confirmed yet. */
	pending: Pending | undefined;
	/** Whether the start page is shown over an open data set. */
	choosing: boolean;
	/** Types of the files dragged over the viewer. */
	over: readonly string[] | undefined;
	/** Whether the link was just copied. */
	copied: boolean;
	requestUpdate(name?: PropertyKey, before?: unknown): void;
	/** Returns the accessible name of a region. */
	regionName(of: string): string;
	/** Leaves the start page. */
	backToPicture(): void;
}
