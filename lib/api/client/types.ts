import type { BodyOf, QueryParametersOf, ResponseOf } from "./transport.ts"

export type {
  Clip,
  ClipEntry,
  ClipList,
  ClipRegions,
  ExportFormat,
  ListedClip,
  StripTopic,
} from "../../domain/clips.ts"
export type {
  ContentBlock,
  ContentPortion,
  DocumentContent,
  DocumentMatches,
  TextRun,
} from "../../domain/document-content.ts"
export type {
  Chunk,
  ChunkMetadata,
  DocumentEntry,
  QueryCitation,
  QueryCounts,
  QueryExtract,
  QueryFilter,
  QueryFound,
  QueryScope,
  QuerySource,
} from "../../domain/documents.ts"
export type { EngineChange, EngineGroup, EngineOption, EngineTest } from "../../domain/engines.ts"
export type { FieldError } from "../../domain/errors.ts"
export type { Episode, Feed } from "../../domain/feeds.ts"
export type { Installation } from "../../domain/installation.ts"
export type { AudioJobInput, JobList, JobProgress, JobRecord } from "../../domain/jobs/jobs.ts"
export type { LiveWords } from "../../domain/jobs/live-words.ts"
export type { MapLabel, MapRegion, SearchPassage, SearchResult, TopicPoint, VizData } from "../../domain/map.ts"
export type { ModelServer, ServerModel } from "../../domain/model-servers.ts"
export type { HighlightColor, Note, NoteList, NoteSource } from "../../domain/notes.ts"
export type {
  ClipSpeaker,
  ClipSpeakers,
  PeopleList,
  Person,
  PersonClip,
  PersonClipList,
  PersonRef,
  PersonWords,
  SpeakerRef,
  SuggestedSpeaker,
  SuggestedSpeakers,
} from "../../domain/people/people.ts"
export type { HitReference, Replacement, ReplacementHit, SkippedHit } from "../../domain/replacements.ts"
export type { SavedView } from "../../domain/saved-views.ts"
export type { NoteHit, SearchAnswer, TitleHit, TopicHit, WordsHit } from "../../domain/search.ts"
export type { Share } from "../../domain/shares.ts"
export type { SpeechModel } from "../../domain/speech-models.ts"
export type { ClipSummary, SummaryLine } from "../../domain/summaries.ts"
export type { SummaryKind, Template } from "../../domain/summary-templates.ts"
export type { ClipFacets, LabelResponse, TagCount, TagCounts } from "../../domain/tags.ts"
export type { Thread, ThreadList, ThreadWithTurns, Turn } from "../../domain/threads.ts"
export type { ApiToken, Scope } from "../../domain/tokens.ts"
export type { BoundaryDiff, TopicDiff } from "../../domain/topics/compare-trees.ts"
export type { ClipTopics, StructureChange, TopicEdit } from "../../domain/topics/topic-edits.ts"
export type { TopicRun, TopicRunEntry } from "../../domain/topics/topic-runs.ts"
export type { FlatTopic, TopicNode, TopicTree } from "../../domain/topics/topic-tree.ts"
export type { TranscriptInput } from "../../domain/transcript/given/read-transcript.ts"
export type { Waveform } from "../../domain/transcript/waveform.ts"
export type { StoredWordEdit, WordEdit } from "../../domain/transcript/word-edits.ts"
export type { WordSpan } from "../../domain/transcript/words.ts"
export type {
  StoredVocabularyEntry,
  VocabularyEntry,
  VocabularyPatch,
  VocabularySuggestion,
} from "../../domain/vocabulary.ts"
export type {
  DeliveryState,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
} from "../../domain/webhooks.ts"
export type {
  DocumentList,
  DocumentText,
  IngestResponse,
  QueryEvent,
  QueryInput,
  QueryResponse,
} from "../documents.ts"
export type { EngineChoice, EngineList } from "../engines.ts"
export type { JobResultResponse, JobSubmitResponse } from "../jobs.ts"
export type { ModelList, ModelServerList, Pulling } from "../models.ts"
export type { ReplacementList, ReplacementPreview, ReplacementResult, UndoneReplacement } from "../replacements.ts"
export type { SummaryList, TemplateList } from "../summaries.ts"
export type { SavedViewList } from "../tags.ts"
export type { CreatedToken, TokenList } from "../tokens.ts"
export type { TopicPreview, TopicRunList } from "../topics.ts"
export type { WordEdits } from "../transcripts.ts"
export type { VocabularyList, VocabularySuggestions } from "../vocabulary.ts"
export type { CreatedWebhook, DeliveryList, WebhookList } from "../webhooks.ts"
export type { CreateOptions, EditOptions, Signal } from "./call-options.ts"
export type { EarmarkClient, TaggedVizData } from "./client.ts"
export type { TranscribeOptions, WaitOptions } from "./convenience.ts"
export type { AnswerEvent } from "./streams.ts"
export type { ClientOptions } from "./transport.ts"
export type { UploadFields, UploadOptions } from "./upload.ts"

// Bodies and queries of requests, in which fields with a default are optional.
export type ShareRequest = BodyOf<"createShare">
export type ApiTokenRequest = BodyOf<"createToken">
export type AttachAudioRequest = BodyOf<"attachAudio">
export type ClipPatch = BodyOf<"editClip">
export type ClipsQuery = QueryParametersOf<"listClips">
export type DeliveriesQuery = QueryParametersOf<"listDeliveries">
export type DocumentsQuery = QueryParametersOf<"listDocuments">
export type FeedQuery = QueryParametersOf<"listFeed">
export type IngestRequest = BodyOf<"ingest">
export type JobsQuery = QueryParametersOf<"listJobs">
export type LabelRequest = BodyOf<"labelClips">
export type NotePatch = BodyOf<"editNote">
export type NoteRequest = BodyOf<"createNote">
export type NotesQuery = QueryParametersOf<"listNotes">
export type ClipSpeakerPatch = BodyOf<"editClipSpeaker">
export type PeopleQuery = QueryParametersOf<"listPeople">
export type PersonMerge = BodyOf<"mergePeople">
export type PersonPatch = BodyOf<"renamePerson">
export type PersonSplit = BodyOf<"splitPerson">
export type SavedViewPatch = BodyOf<"updateSavedView">
export type SavedViewRequest = BodyOf<"createSavedView">
export type SearchQuery = QueryParametersOf<"search">
export type SummaryRequest = BodyOf<"requestSummary">
export type TemplatePatch = BodyOf<"editTemplate">
export type TemplateRequest = BodyOf<"createTemplate">
export type ThreadPatch = BodyOf<"renameThread">
export type ThreadRequest = BodyOf<"createThread">
export type ThreadsQuery = QueryParametersOf<"listThreads">
export type TopicDiffQuery = QueryParametersOf<"diffTopicRuns">
export type TopicPatch = BodyOf<"editTopic">
export type TopicSettings = BodyOf<"rerunTopics">
export type TranscriptionSettings = BodyOf<"retranscribe">
export type WebhookPatch = BodyOf<"updateWebhook">
export type WebhookRequest = BodyOf<"createWebhook">
export type WebhooksQuery = QueryParametersOf<"listWebhooks">

export type ShareList = ResponseOf<"listShares">
export type CreatedShare = ResponseOf<"createShare">
export type CreatedNote = ResponseOf<"createNote">
export type CreatedTemplate = ResponseOf<"createTemplate">
export type RequestedSummary = ResponseOf<"requestSummary">
export type CreatedPerson = ResponseOf<"splitPerson">
export type CreatedThread = ResponseOf<"createThread">
export type CreatedSavedView = ResponseOf<"createSavedView">
export type DocumentAddResponse = ResponseOf<"addDocument">
export type Health = ResponseOf<"health">
export type Readiness = ResponseOf<"readiness">
