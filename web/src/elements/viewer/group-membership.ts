import type { ReactiveController } from "lit";
import type { GroupMember } from "./group.js";
import type { ViewerHost } from "./viewer-host.js";

/** Keeps a viewer in the group of its attribute while it is in the page. */
export class GroupMembership implements ReactiveController {
	readonly #host: ViewerHost;
	#member: GroupMember | undefined;
	#joined = Promise.resolve();

	constructor(host: ViewerHost) {
		this.#host = host;
		host.addController(this);
	}

	/** Resolves when the viewer has joined its group. */
	get joined(): Promise<void> {
		return this.#joined;
	}

	hostConnected(): void {
		this.change();
	}

	hostDisconnected(): void {
		this.#member?.leave();
		this.#member = undefined;
	}

	/** Leaves the former group, and joins that of the attribute. */
	change(): void {
		this.hostDisconnected();
		this.#joined = this.#join();
	}

	async #join(): Promise<void> {
		const { controller, group } = this.#host;
		if (!controller || !group) return;
		try {
			const { GroupMember } = await import("./group.js");
			const isLeft = group !== this.#host.group || !this.#host.isConnected;
			if (!isLeft) this.#member ??= new GroupMember(controller, group);
		} catch (error) {
			controller.notify(`group: loading failed: ${String(error)}`);
		}
	}
}
