// node thumbnails.mjs DATASET FOLDER: writes a PNG of the middle of each scene.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import { ChunkedDataset, EgoDataset } from "bevscope";

function crc32(bytes) {
	let crc = ~0;
	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
	}
	return ~crc >>> 0;
}

function chunk(type, data) {
	const out = Buffer.concat([
		Buffer.alloc(4),
		Buffer.from(type),
		data,
		Buffer.alloc(4),
	]);
	out.writeUInt32BE(data.length);
	out.writeUInt32BE(crc32(out.subarray(4, -4)), out.length - 4);
	return out;
}

function png({ data, shape: [height, width] }) {
	const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]); // 8 bits, RGBA
	head.writeUInt32BE(width);
	head.writeUInt32BE(height, 4);
	const rows = Array.from({ length: height }, (_, y) =>
		Buffer.concat([Buffer.alloc(1), data.subarray(4 * width * y, 4 * width * (y + 1))]),
	);
	const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.concat(rows)))];
	return Buffer.concat([
		Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
		...parts,
		chunk("IEND", Buffer.alloc(0)),
	]);
}

const [url, folder] = process.argv.slice(2);
const dataset = await ChunkedDataset.open(url);
const config = await readFile(new URL("config.json", import.meta.url), "utf8");
const ego = await EgoDataset.create(config, dataset, { image: "rgba" });
await mkdir(folder, { recursive: true });
for (let scene = 0; scene < dataset.scenes.length; scene += 1) {
	const { frameBegin, frames } = await dataset.scene(scene);
	const { image } = await ego.sample(frameBegin + Math.floor(frames / 2));
	await writeFile(`${folder}/${scene}.png`, png(image));
}
dataset.close();
