import type { HelpJson, OverviewJson } from './args/help.ts'
import type { CheckJson } from './commands/check/json-check.ts'
import type { DiffJson } from './commands/diff/json-diff.ts'
import type { DoctorJson } from './commands/doctor/index.ts'
import type { ExplainJson } from './commands/explain/index.ts'
import type { GenerateJson } from './commands/generate/index.ts'
import type { InitJson } from './commands/init/index.ts'
import type { ListJson } from './commands/list/json-list.ts'
import type { ServeJson } from './commands/serve/index.ts'
import type { ShowJson } from './commands/show/json-show.ts'
import type { UiJson } from './commands/ui/index.ts'
import type { ErrorJson, HoldJson, PullJson, RestoreJson, VersionJson } from './output/json.ts'

/**
 * What `--json` prints, by command. `json.schema.json` is generated from these types and their
 * comments: run the tests of `test/cli/json.test.ts` with `-u` after a change.
 */
export interface JsonOutputs {
  readonly init: InitJson
  readonly pull: PullJson
  readonly diff: DiffJson
  readonly check: CheckJson
  readonly list: ListJson
  readonly show: ShowJson
  readonly hold: HoldJson
  readonly release: HoldJson
  readonly restore: RestoreJson
  readonly generate: GenerateJson
  readonly ui: UiJson
  readonly serve: ServeJson
  readonly doctor: DoctorJson
  readonly explain: ExplainJson
  /** Any command that fails; `check` adds it to its own output if the service fails. */
  readonly error: ErrorJson
  /** `prompts <command> --help`. */
  readonly help: HelpJson
  /** `prompts --help`. */
  readonly overview: OverviewJson
  readonly version: VersionJson
}
