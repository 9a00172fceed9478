import type { ViewerController } from "../session/controller.js";
import type { ViewerState } from "../session/state.js";
import { frameAt } from "../timeline/clock.js";

/** A position that is the same for all viewers of a group. */
interface Moment {
	readonly scene: number;
	/** Seconds since the scene's first frame. */
	readonly seconds: number;
}

/** Half of the smallest difference between two frames: tolerates rounded timestamps. */
const ROUNDING_S = 0.001;

/** Viewers that show the same scene and time. */
class Group {
	readonly members = new Set<GroupMember>();
	moment: Moment | undefined;
	/** The member that was moved last; it may still read its scene. */
	leader: GroupMember | undefined;

	/** Moves all members but `from`, which the user has moved. */
	move(from: GroupMember, moment: Moment): void {
		this.moment = moment;
		for (const member of this.members) if (member !== from) member.follow(moment);
	}

	/** Pauses all members but `from`, which plays and moves them. */
	pause(from: GroupMember): void {
		for (const member of this.members) if (member !== from) member.controller.pause();
	}
}

/** The groups of the page by name. */
const groups = new Map<string, Group>();

function groupOf(name: string): Group {
	const group = groups.get(name) ?? new Group();
	groups.set(name, group);
	return group;
}

/** Keeps one viewer in step with the others of its group. */
export class GroupMember {
	readonly controller: ViewerController;
	readonly #name: string;
	readonly #group: Group;
	readonly #unsubscribe: () => void;
	/** The group's moment that this viewer has not reached, because it reads the scene. */
	#pending: Moment | undefined;
	/** Whether the viewer is being moved by the group. */
	#following = false;
	/** The data set whose position the group knows. */
	#known: ViewerState["dataset"];

	/** Joins the group; a viewer that has a position takes over that of the group. */
	constructor(controller: ViewerController, name: string) {
		this.controller = controller;
		this.#name = name;
		this.#group = groupOf(name);
		this.#group.members.add(this);
		this.#unsubscribe = controller.store.subscribe((state, before) =>
			this.#changed(state, before),
		);
		this.#settle(controller.state);
	}

	/** Leaves the group. */
	leave(): void {
		this.#unsubscribe();
		this.#group.members.delete(this);
		if (this.#group.leader === this) this.#group.leader = undefined;
		if (this.#group.members.size === 0) groups.delete(this.#name);
	}

	/** Moves the viewer. If it lacks the scene, it stays where it is. */
	follow(moment: Moment): void {
		const { state } = this.controller;
		if (!state.dataset || moment.scene >= state.sceneCount) return;
		this.#following = true;
		try {
			this.controller.pause();
			if (state.scene !== moment.scene) {
				this.#pending = moment;
				this.controller.setScene(moment.scene);
			} else if (!state.sceneInfo) this.#pending = moment;
			else this.#reach(state, moment);
		} finally {
			this.#following = false;
		}
	}

	#reach({ sceneInfo, frame }: ViewerState, { seconds }: Moment): void {
		this.#pending = undefined;
		const wanted = frameAt(sceneInfo?.seconds ?? [], seconds + ROUNDING_S);
		if (wanted !== frame) this.controller.seek(wanted, { announce: false });
	}

	#changed(state: ViewerState, before: ViewerState): void {
		if (this.#following) return;
		if (state.playing && !before.playing) this.#group.pause(this);
		const pending = this.#pending;
		if (pending && state.dataset === before.dataset && state.scene === pending.scene) {
			// The group may have moved on meanwhile, or been moved by this viewer before.
			const reached = state.sceneInfo?.index === pending.scene;
			if (reached) this.follow(this.#group.moment ?? pending);
			return;
		}
		this.#pending = undefined;
		const { scene, frame } = before;
		if (scene !== state.scene || frame !== state.frame) this.#group.leader = this;
		this.#settle(state);
	}

	/** Takes over the group's position for a new data set; otherwise tells the group. */
	#settle(state: ViewerState): void {
		const { dataset, scene, sceneInfo, frame } = state;
		if (!dataset || sceneInfo?.index !== scene) return;
		const { moment, leader = this } = this.#group;
		const isNew = dataset !== this.#known;
		this.#known = dataset;
		if (leader !== this && !isNew) return; // moved before the leader
		if (isNew && moment && this.#group.members.size > 1) {
			this.follow(moment);
			return;
		}
		const seconds = sceneInfo.seconds[frame] ?? 0;
		if (moment?.scene === scene && moment.seconds === seconds) return;
		const own =
			moment?.scene === scene &&
			frameAt(sceneInfo.seconds, moment.seconds + ROUNDING_S) === frame;
		if (!own) this.#group.move(this, { scene, seconds });
	}
}
