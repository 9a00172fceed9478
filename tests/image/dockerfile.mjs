// Runs a Dockerfile without Docker: the stages' steps in folders, commands in namespaces.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const AS_ROOT = process.getuid() === 0 ? [] : ["sudo"];

/** Runs a program; returns what it prints. */
export function run(words, options = {}) {
	const [program, ...rest] = words;
	const stdio = ["ignore", "pipe", "pipe"];
	return execFileSync(program, rest, { encoding: "utf8", stdio, ...options });
}

export const asRoot = (words, options) => run([...AS_ROOT, ...words], options);

/** Returns the stages of a Dockerfile, each a list of instructions. */
export function stagesOf(file) {
	const text = readFileSync(file, "utf8")
		.replaceAll(/^#.*\n/gm, "")
		.replaceAll(/\\\n\s*/g, "");
	const stages = [];
	for (const line of text.split("\n").filter(Boolean)) {
		const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line);
		if (name === "FROM") stages.push([]);
		stages.at(-1).push({ name, text: rest });
	}
	return stages;
}

/**
 * Runs the steps of a stage that works in a checkout, /src in the stage: its files are
 * there already.
 */
export function runInCheckout(stage, checkout) {
	for (const { name, text } of stage) {
		if (name === "RUN") run(["sh", "-c", text], { cwd: checkout, maxBuffer: 1 << 30 });
		else if (!["FROM", "WORKDIR", "COPY"].includes(name)) throw new Error(name);
	}
}

/** A folder with Debian in which a stage's steps have run. */
export class Image {
	#root;
	#settings = {};

	/** `checkout` is the context, and /src of the stage that is copied from. */
	constructor(stage, root, checkout) {
		this.#root = root;
		asRoot(["rm", "-rf", root]);
		mkdirSync(dirname(root), { recursive: true });
		const debian = ["debootstrap", "--variant=minbase", "bookworm", root];
		// What it mounts is seen by it alone, also if it is killed.
		asRoot(["unshare", "--mount", ...debian], { maxBuffer: 1 << 26 });
		asRoot(["cp", "/etc/resolv.conf", join(root, "etc/resolv.conf")]);
		for (const { name, text } of stage) {
			if (name === "RUN") this.#step(text);
			else if (name === "COPY") this.#copy(text.split(" "), checkout);
			else this.#settings[name] = text;
		}
	}

	get settings() {
		return this.#settings;
	}

	/** Bytes of the image's files. */
	get size() {
		return Number(asRoot(["du", "-sxB1", this.#root]).split("\t")[0]);
	}

	#step(text) {
		const words = this.#enter({ user: "0:0", folder: "/" }, ["/bin/sh", "-c", text]);
		asRoot(words, { maxBuffer: 1 << 26 });
	}

	/** COPY: the content of a folder, as Docker copies it, or files into one. */
	#copy(words, checkout) {
		const to = join(this.#root, words.pop());
		const from = words[0].startsWith("--from=") && words.shift();
		asRoot(["mkdir", "-p", to]);
		for (const word of words) {
			const path = from ? word.replace(/^\/src\//, "") : word;
			const source = join(checkout, path);
			const content = statSync(source).isDirectory() ? `${source}/.` : source;
			asRoot(["cp", "-R", "--no-preserve=ownership", content, to]);
		}
	}

	/** Words that run a command in the folder, in namespaces of its own but for the network. */
	#enter(
		{ data, user = this.#settings.USER, folder = this.#settings.WORKDIR },
		command,
	) {
		const mounts = 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc"';
		const volume = data ? ` && mount --bind '${data}' "$0/data"` : "";
		return [
			...["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c"],
			`${mounts}${volume} && exec chroot --userspec=${user} "$0" /usr/bin/env -i "$@"`,
			...[this.#root, `--chdir=${folder}`, `PATH=${PATH}`, "HOME=/tmp", ...command],
		];
	}

	/** As `docker run IMAGE COMMAND..`, with a folder as /data, or `docker exec` if `inside`. */
	run(command, { data, inside } = {}) {
		return asRoot([...(inside?.words ?? []), ...this.#enter({ data }, command)]);
	}

	/** Starts the image's command with a folder as /data, in a network of its own. */
	async start(data) {
		const command = JSON.parse(this.#settings.CMD);
		const up = 'echo $$ && ip link set lo up && exec "$@"';
		const words = ["unshare", "--net", "sh", "-c", up, "net"];
		const [program, ...rest] = [
			...AS_ROOT,
			...words,
			...this.#enter({ data }, command),
		];
		const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] });
		const ended = once(child, "exit");
		const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
		const { value: pid } = await lines.next();
		const { value: url } = await lines.next();
		return new Container(pid, url, ended);
	}
}

/** A command of an image that runs. */
export class Container {
	/** Words before those of a command that uses the container's network. */
	words;

	constructor(pid, url, ended) {
		Object.assign(this, { pid, url, ended });
		this.words = ["nsenter", `--net=/proc/${pid}/ns/net`];
	}

	/** As `docker stop`; returns the exit status. */
	async stop() {
		const children = `/proc/${this.pid}/task/${this.pid}/children`;
		asRoot(["kill", "-TERM", readFileSync(children, "utf8").trim()]);
		const [status] = await this.ended;
		return status;
	}
}
