import "./base/dispose.js";

export type {
	AbortOptions,
	ArrayDescription,
	AxisSelection,
	AxisSlice,
	CacheOptions,
	Capabilities,
	DatasetFiles,
	DatasetFrom,
	Description,
	FrameOptions,
	LoadOptions,
	LoadProgress,
	MissingRule,
	ModuleFrom,
	ObjectFrom,
	OpenOptions,
	RowsOptions,
	SelectOptions,
	Stats,
	Waiting,
	ZarrDtype,
	ZarrField,
} from "./api.js";
export {
	agentsSliceFromFrames,
	type Column,
	Columns,
	type FieldsOf,
	facesSliceFromFrames,
	framesSliceFromScenes,
	type RowSlice,
} from "./arrays/columns.js";
export { NdArray } from "./arrays/nd-array.js";
export { RaggedColumn } from "./arrays/ragged.js";
export type {
	AgentFields,
	AnyFields,
	FaceFields,
	FrameFields,
	SceneFields,
} from "./arrays/schema.js";
export type { Field } from "./arrays/structured-array.js";
export { type Records, StructuredArray } from "./arrays/structured-array.js";
export { BevError, type BevErrorOptions, type ErrorCode } from "./base/errors.js";
export type { FormerNames, WithFormer } from "./base/names.js";
export type { CacheStats } from "./core/options.js";
export type { TypedArray } from "./core/types.js";
export { ChunkedDataset } from "./dataset/dataset.js";
export {
	AgentClass,
	type AgentsView,
	type EgoView,
	type FrameView,
	type LightsView,
	type Polylines,
} from "./dataset/frame-view.js";
export type {
	Geodetic,
	LaneLines,
	LaneLinesOptions,
	MapQuestions,
	MapView,
} from "./dataset/map-view.js";
export { openParquet } from "./dataset/open-parquet.js";
export type { ParquetFrom, ParquetOptions } from "./dataset/parquet.js";
export type {
	AddEdit,
	LightEdit,
	MoveEdit,
	Patch,
	PatchData,
	PatchEdit,
	RemoveEdit,
	RetimeEdit,
	StopEdit,
} from "./dataset/patch.js";
export type { Scene, SceneFramesOptions } from "./dataset/scenes.js";
export type {
	Anomaly,
	LightRuns,
	Motion,
	SceneLights,
	SceneTimeline,
	SeenFace,
	TimelineOptions,
} from "./dataset/timeline.js";
export {
	type Fact,
	type FactColumn,
	type FactDescription,
	type FactPart,
	FactTable,
	type FactTableName,
	type UnreadScene,
} from "./facts/fact-table.js";
export { DatasetFacts } from "./facts/facts.js";
export type { FactsCheck, FactsOptions, FactsReadOptions } from "./facts/options.js";
export type {
	CoreCacheStats,
	CoreMinima,
	CoreSelectionRules,
	CoreView,
} from "./former.js";
export { configure, type FileLocations, type Hosts } from "./loading/files.js";
export type { ReaderBatch } from "./reader/batch.js";
export type { ReaderFields, TableColumns } from "./reader/columns.js";
export { concatReaders, type ReaderConcatenation } from "./reader/concat.js";
export type {
	DescribedGroup,
	DescribeOptions,
	ElementDescription,
	GroupedDescription,
	ReaderDescription,
} from "./reader/description.js";
export type {
	CountOptions,
	ReaderColumn,
	ReaderCountOptions,
	ReaderExplanation,
} from "./reader/explanation.js";
export type { JoinedBatch, JoinedReaders } from "./reader/joined.js";
export {
	type MixOptions,
	mixReaders,
	type ReaderMixture,
	type WeightedReader,
} from "./reader/mix.js";
export type {
	BatchOptions,
	FieldNames,
	FilterTree,
	OrderMode,
	OrderOptions,
	ReaderOptions,
	ReaderSampleOptions,
	SampleForm,
	ShardOptions,
	WindowOptions,
} from "./reader/options.js";
export { DatasetReader } from "./reader/reader.js";
export type { ReaderDiagnostics } from "./reader/work.js";
export { AgentDataset } from "./samples/agent-dataset.js";
export { EgoDataset, FrameSamples } from "./samples/ego-dataset.js";
export type {
	AgentSampleOptions,
	AgentsMask,
	Config,
	EgoSampleOptions,
	FrameMinima,
	ImageForm,
	IndexOptions,
	MotionLimits,
	Perturbation,
	PictureOptions,
	Rasterized,
	SampleOptions,
	SamplesOptions,
	SelectionCount,
	SelectionReport,
	SelectionRules,
	Vectorized,
} from "./samples/options.js";
export {
	type EgoAgentSample,
	type ImageTypes,
	imageData,
	type Released,
	release,
	type Sample,
	type SampleArray,
	type SampleArrays,
	type SampleKey,
	type VectorizedSample,
} from "./samples/sample.js";
export { SampleDataset } from "./samples/sample-dataset.js";
export {
	agentsMask,
	type SelectedScene,
	selectAgents,
	selectScene,
} from "./samples/selection.js";
export {
	EgoAgentDatasetVectorized,
	type EgoAgentOptions,
	EgoDatasetVectorized,
} from "./samples/vectorized.js";
export { clearPersistentCache } from "./source/cache/storage.js";
export type { FetchSettings, FetchSourceOptions } from "./source/fetch-job.js";
export { FetchSource } from "./source/fetch-source.js";
export { FileSource } from "./source/file-source.js";
export type { Absence, ByteRange, ReadOptions, Source } from "./source/source.js";
export { MemorySource } from "./source/source.js";
export type {
	Pixels,
	Progress,
	ReaderPosition,
	SkippedBlock,
} from "./worker/protocol.js";
