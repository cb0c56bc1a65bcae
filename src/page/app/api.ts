import { errorMessage } from '../../errors/error-code.ts'
import type { ChangesQuery } from '../comparison-protocol.ts'
import { type Answers, API } from '../endpoints.ts'
import type { ErrorAnswer, ListedPrompt, PackedList } from '../protocol.ts'

/** The query of a request. */
type Query = Readonly<Record<string, string>>

/** Asks an endpoint. Not validated: the server is part of this package and has the same version. */
export async function read<Name extends keyof Answers>(
  name: Name,
  query: Query = {},
): Promise<Answers[Name]> {
  const response = await fetch(`${API}${name}?${new URLSearchParams(query)}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answers[Name]
}

/** Asks an endpoint. A failed request is an answer too. */
export function readOrError<Name extends keyof Answers>(
  name: Name,
  query: Query,
): Promise<Answers[Name] | ErrorAnswer> {
  return read(name, query).catch((error: unknown) => ({
    kind: 'error',
    error: { code: '', why: errorMessage(error), fix: 'Is the dev server running?' },
  }))
}

/** The query for a comparison of all prompts. */
export function changesQuery(query: ChangesQuery): Query {
  return query.kind === 'revision' ? { base: query.revision } : { with: query.kind }
}

/** The prompts of the lock; none if it can't be read. */
export interface PromptList extends Pick<PackedList, 'revision'> {
  readonly prompts: readonly ListedPrompt[]
}

/** Reads the prompts of the lock, without their texts. */
export async function readPromptList(): Promise<PromptList> {
  const { revision, rows } = await read('list')
  const prompts = rows.map(
    ([slug, folder, model, version, variables, noteCount, characters, held]) => ({
      slug,
      folder,
      model,
      version,
      variables,
      noteCount,
      characters,
      ...(held && { held }),
    }),
  )
  return { revision, prompts }
}
