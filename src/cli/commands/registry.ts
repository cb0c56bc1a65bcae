import { didYouMean } from '../../errors/did-you-mean.ts'
import { usageError } from '../../errors/prompts-error.ts'
import type { CommandEntry, CommandMeta, NamedCommand } from '../shell/command.ts'
import type {
  ErrorJson,
  HelpJson,
  HoldJson,
  OverviewJson,
  PullJson,
  RestoreJson,
  VersionJson,
} from '../view/json.ts'
import type { CheckJson } from './check/index.ts'
import type { DiffJson } from './diff/index.ts'
import type { GenerateJson } from './generate/index.ts'
import type { ReleaseJson } from './hold/index.ts'
import type { InitJson } from './init/index.ts'
import type { ListJson } from './list/index.ts'
import type { LogJson } from './log/index.ts'
import type { ServeJson } from './serve/index.ts'
import type { ShowJson } from './show/index.ts'
import type { UiJson } from './ui/index.ts'

/** The commands by group, in the order of the help. Their code is loaded on use. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  'Every day': {
    init: {
      summary: 'Set up this project: configuration and first pull',
      sample: 'init --yes --example',
      load: async () => (await import('./init/index.ts')).init,
    },
    pull: {
      summary: 'Update the lock and the declarations from the service',
      sample: 'pull',
      load: async () => (await import('./pull/index.ts')).pull,
    },
    diff: {
      summary: 'Show what a pull would change, word by word',
      sample: 'diff --if-published --impact',
      load: async () => (await import('./diff/index.ts')).diff,
    },
    list: {
      alias: 'ls',
      summary: 'List the pinned prompts',
      sample: 'list --usage --updates',
      load: async () => (await import('./list/index.ts')).list,
    },
    show: {
      summary: 'Show one pinned prompt: texts, variables, settings',
      sample: 'show support-triage --usage',
      load: async () => (await import('./show/index.ts')).show,
    },
    log: {
      summary: 'Show how the pinned prompts changed, from git',
      sample: 'log',
      load: async () => (await import('./log/index.ts')).log,
    },
    ui: {
      summary: 'Show the pinned prompts in the browser',
      sample: 'ui --port 0',
      load: async () => (await import('./ui/index.ts')).ui,
    },
  },
  Decide: {
    hold: {
      summary: 'Keep the pinned texts of prompts',
      sample: 'hold support-triage --reason Waiting',
      load: async () => (await import('./hold/index.ts')).hold,
    },
    release: {
      summary: 'Let pulls update held prompts again',
      sample: 'release support-triage',
      load: async () => (await import('./hold/index.ts')).release,
    },
    restore: {
      summary: 'Bring a prompt back as it was in a git revision, and hold it',
      sample: 'restore support-reply --from HEAD --yes',
      load: async () => (await import('./hold/index.ts')).restore,
    },
    edit: {
      summary: 'Write the text of a prompt here, and hold it',
      sample: 'edit support-reply --system-file package.json --yes',
      load: async () => (await import('./edit/index.ts')).edit,
    },
  },
  'Set up and check': {
    check: {
      summary: 'Check lock, generated files and service; or all of the setup',
      sample: 'check --impact',
      load: async () => (await import('./check/index.ts')).check,
    },
    generate: {
      summary: 'Write the declarations, or real files for tools without plugins',
      sample: 'generate --out-dir src/generated',
      load: async () => (await import('./generate/index.ts')).generate,
    },
    serve: {
      summary: 'Run the local prompt service, which needs no account',
      sample: 'serve --example --port 0',
      load: async () => (await import('./serve/index.ts')).serve,
    },
  },
}

/** All commands, in the order of the help. */
export const registry: readonly CommandMeta[] = Object.entries(GROUPS).flatMap(
  ([group, commands]) =>
    Object.entries(commands).map(([name, command]) => ({ name, group, ...command })),
)

/** What `--json` prints, by command. The schema is generated from these types and their comments. */
export interface JsonOutputs {
  readonly init: InitJson
  readonly pull: PullJson
  readonly diff: DiffJson
  readonly list: ListJson
  readonly show: ShowJson
  readonly log: LogJson
  readonly ui: UiJson
  readonly hold: HoldJson
  readonly release: ReleaseJson
  readonly restore: RestoreJson
  readonly edit: RestoreJson
  readonly check: CheckJson
  readonly generate: GenerateJson
  readonly serve: ServeJson
  /** Any command that fails; `check` adds it to its own output if a step fails. */
  readonly error: ErrorJson
  /** `prompts <command> --help`. */
  readonly help: HelpJson
  /** `prompts --help`. */
  readonly overview: OverviewJson
  readonly version: VersionJson
}

/** @throws PromptsError USAGE if there is no command of this name */
export async function loadCommand(word: string): Promise<NamedCommand> {
  const meta = registry.find(({ name, alias }) => word === name || word === alias)
  if (meta !== undefined) return { ...meta, ...(await meta.load()) }
  const names = registry.map(({ name }) => name)
  throw usageError(`Unknown command: ${word}.${didYouMean(word, names)}`)
}
