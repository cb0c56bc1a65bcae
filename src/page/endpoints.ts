import type { ChangesImpactView, ChangesView, ComparisonView } from './comparison-protocol.ts'
import type {
  PackedList,
  PageState,
  PromptReading,
  ServiceView,
  TextMatches,
  UsesView,
} from './protocol.ts'

/** Where the endpoints are, below the path of the page. */
export const API = 'api/'

/** The answers of the endpoints. Each is at `api/<name>`, below the path of the page, with GET. */
export interface Answers {
  readonly state: PageState
  readonly list: PackedList
  /** `?slug=…` */
  readonly prompt: PromptReading
  /** `?word=…` */
  readonly search: TextMatches
  /** `?fresh` ignores a recent answer. */
  readonly service: ServiceView
  /** This type-checks the app, which may take seconds. */
  readonly uses: UsesView
  /** `?slug=…&with=…`; `&fresh` ignores recent reads. */
  readonly compare: ComparisonView
  /** A `ChangesQuery`; `&read=…` is a `ReadMode`. */
  readonly changes: ChangesView
  /** Of the same changes, which may take seconds; a `ChangesQuery`. */
  readonly impact: ChangesImpactView
}

/** The path of the server-sent events of the page. */
export const EVENTS = 'api/events'
