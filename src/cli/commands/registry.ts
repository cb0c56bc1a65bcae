import { didYouMean } from '../../errors/did-you-mean.ts'
import { usageError } from '../../errors/prompts-error.ts'
import type { CommandMeta, NamedCommand } from '../shell/command.ts'
import type {
  ErrorJson,
  HelpJson,
  HoldJson,
  OverviewJson,
  PullJson,
  RestoreJson,
  VersionJson,
} from '../view/json.ts'
import type { CheckJson } from './check.ts'
import type { DiffJson } from './diff.ts'
import type { GenerateJson } from './generate.ts'
import type { UnholdJson } from './hold.ts'
import type { InitJson } from './init/index.ts'
import type { ListJson } from './list.ts'
import type { LogJson } from './log.ts'
import type { ServeJson } from './serve.ts'
import type { ShowJson } from './show.ts'
import type { UiJson } from './ui.ts'

/** All commands, in the order of the help. Their code is loaded on use. */
export const registry: readonly CommandMeta[] = [
  {
    name: 'init',
    group: 'Every day',
    summary: 'Set up this project: configuration and first pull',
    load: async () => (await import('./init/index.ts')).init,
  },
  {
    name: 'pull',
    group: 'Every day',
    summary: 'Update the lock and the declarations from the service',
    load: async () => (await import('./pull/index.ts')).pull,
  },
  {
    name: 'diff',
    group: 'Every day',
    summary: 'Show what a pull would change, word by word',
    load: async () => (await import('./diff.ts')).diff,
  },
  {
    name: 'list',
    group: 'Every day',
    summary: 'List the pinned prompts',
    load: async () => (await import('./list.ts')).list,
  },
  {
    name: 'show',
    group: 'Every day',
    summary: 'Show one pinned prompt: texts, variables, settings',
    load: async () => (await import('./show.ts')).show,
  },
  {
    name: 'log',
    group: 'Every day',
    summary: 'Show how the pinned prompts changed, from git',
    load: async () => (await import('./log.ts')).log,
  },
  {
    name: 'ui',
    group: 'Every day',
    summary: 'Show the pinned prompts in the browser',
    load: async () => (await import('./ui.ts')).ui,
  },
  {
    name: 'hold',
    group: 'Decide',
    summary: 'Keep the pinned texts of prompts',
    load: async () => (await import('./hold.ts')).hold,
  },
  {
    name: 'unhold',
    group: 'Decide',
    summary: 'Let pulls update held prompts again',
    load: async () => (await import('./hold.ts')).unhold,
  },
  {
    name: 'restore',
    group: 'Decide',
    summary: 'Bring a prompt back as it was in a git revision, and hold it',
    load: async () => (await import('./hold.ts')).restore,
  },
  {
    name: 'edit',
    group: 'Decide',
    summary: 'Write the text of a prompt here, and hold it',
    load: async () => (await import('./edit.ts')).edit,
  },
  {
    name: 'check',
    group: 'Set up and check',
    summary: 'Check lock, generated files and service; or all of the setup',
    load: async () => (await import('./check.ts')).check,
  },
  {
    name: 'generate',
    group: 'Set up and check',
    summary: 'Write the declarations, or real files for tools without plugins',
    load: async () => (await import('./generate.ts')).generate,
  },
  {
    name: 'serve',
    group: 'Set up and check',
    summary: 'Run the local prompt service, which needs no account',
    load: async () => (await import('./serve.ts')).serve,
  },
]

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
  readonly unhold: UnholdJson
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
  const meta = registry.find(({ name }) => name === word)
  if (meta !== undefined) return { ...meta, ...(await meta.load()) }
  const names = registry.map(({ name }) => name)
  throw usageError(`Unknown command: ${word}.${didYouMean(word, names)}`)
}
