import type { ViewerController } from "../session/controller.js";
import type { RowTable } from "../session/dataset.js";
import { frameCount, type ViewerState } from "../session/state.js";
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
	/** The member whose playback moves the others. */
	player: GroupMember | undefined;

	/** Moves all members but `from`, which the user has moved. */
	move(from: GroupMember, moment: Moment): void {
		this.moment = moment;
		for (const member of this.members) if (member !== from) member.follow(moment);
	}

	/** All members show that the group plays. */
	play(from: GroupMember): void {
		this.player = from;
		for (const member of this.members) if (member !== from) member.showPlay();
	}

	/** Pauses all members; `from` is paused already. */
	pause(from: GroupMember): void {
		const { player } = this;
		this.player = undefined;
		for (const member of this.members) {
			if (member !== from) member.showPause(member === player);
		}
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
	#known: RowTable | undefined;

	/** Joins the group; a viewer that has a position takes over that of the group. */
	constructor(controller: ViewerController, name: string) {
		this.controller = controller;
		this.#name = name;
		this.#group = groupOf(name);
		this.#group.members.add(this);
		this.#unsubscribe = controller.store.subscribe((state, before) =>
			this.#changed(state, before),
		);
		const { player } = this.#group;
		if (player) this.showPause(true);
		else if (controller.state.playing) this.#group.play(this);
		this.#settle(controller.state);
		this.showPlay();
	}

	/** Leaves the group. */
	leave(): void {
		this.#unsubscribe();
		const { player } = this.#group;
		if (player === this) this.#group.pause(this);
		else if (player) this.showPause(false);
		this.#group.members.delete(this);
		if (this.#group.leader === this) this.#group.leader = undefined;
		if (this.#group.members.size === 0) groups.delete(this.#name);
	}

	/** Moves the viewer. If it lacks the scene, it stays where it is. */
	follow(moment: Moment): void {
		const { state } = this.controller;
		if (!state.dataset || moment.scene >= state.sceneCount) return;
		this.#asFollower(() => {
			if (state.scene !== moment.scene) {
				this.#pending = moment;
				this.controller.setScene(moment.scene);
			} else if (!state.sceneInfo) this.#pending = moment;
			else this.#reach(state, moment);
		});
	}

	/** Shows that another member plays; not in a viewer that has nothing to play. */
	showPlay(): void {
		const { player } = this.#group;
		const { store, state } = this.controller;
		if (!player || player === this || state.playing || frameCount(state) < 2) return;
		this.#asFollower(() => store.patch({ playing: true, announcement: "" }));
	}

	/** Shows that the group is paused. */
	showPause(isPlayer: boolean): void {
		const { controller } = this;
		const quiet = { playing: false, stalled: false };
		this.#asFollower(() => {
			if (isPlayer) controller.pause();
			else controller.store.patch(quiet);
		});
	}

	/** Changes the viewer without telling the group. */
	#asFollower(change: () => void): void {
		const before = this.#following;
		this.#following = true;
		try {
			change();
		} finally {
			this.#following = before;
		}
	}

	#reach({ sceneInfo, frame }: ViewerState, { seconds }: Moment): void {
		this.#pending = undefined;
		const wanted = frameAt(sceneInfo?.seconds ?? [], seconds + ROUNDING_S);
		if (wanted !== frame) this.controller.seek(wanted, { announce: false });
		this.showPlay();
	}

	#changed(state: ViewerState, before: ViewerState): void {
		if (this.#following) return;
		this.#tellPlay(state, before);
		const pending = this.#pending;
		const isSame = state.dataset?.scenes === before.dataset?.scenes; // edited, perhaps
		if (pending && isSame && state.scene === pending.scene) {
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

	/** Tells the group that the user has started or stopped playback here. */
	#tellPlay(state: ViewerState, before: ViewerState): void {
		if (state.playing === before.playing) return;
		const { player } = this.#group;
		// A follower that opens other data does not stop the others.
		const isOwn = state.dataset === before.dataset || player === this;
		if (state.playing) this.#group.play(this);
		else if (isOwn) this.#group.pause(this);
	}

	/** Takes over the group's position for a new data set; otherwise tells the group. */
	#settle(state: ViewerState): void {
		const { dataset, scene, sceneInfo, frame } = state;
		if (!dataset || sceneInfo?.index !== scene) return;
		const { moment, leader = this } = this.#group;
		const isNew = dataset.scenes !== this.#known;
		this.#known = dataset.scenes;
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
