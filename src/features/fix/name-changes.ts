import type { ts } from '../../analysis/app/compiler.ts'

/** The names that change with an update, of variables or of prompts. */
export interface NameChanges {
  /** By old name: the confirmed new names. More than one if prompts differ. */
  readonly renamed: ReadonlyMap<string, readonly string[]>
  /** Old names without a new one. */
  readonly removed: ReadonlySet<string>
}

/**
 * What happens to a name in a type. `copied`: the type has the old and the new name, since one of two
 * prompts keeps the old one. `unclear`: no single new name.
 */
export type NameFate =
  | { readonly kind: 'renamed'; readonly to: string }
  | { readonly kind: 'copied'; readonly to: string }
  | { readonly kind: 'removed' }
  | { readonly kind: 'unclear' }

/** Whether something has a name, with the declarations before and after an update. */
export interface NameCheck {
  readonly before: (name: string) => boolean
  readonly after: (name: string) => boolean
}

/** Returns what happens to a name; `undefined` if it stays or was not there. */
export function nameFate(
  name: string,
  { renamed, removed }: NameChanges,
  { before, after }: NameCheck,
): NameFate | undefined {
  if (!before(name)) return undefined
  const stays = after(name)
  const wanted = (renamed.get(name) ?? []).filter(after)
  const [to, ...others] = wanted.filter((target) => !before(target))
  if (to !== undefined && others.length === 0) return { kind: stays ? 'copied' : 'renamed', to }
  if (stays) return undefined
  if (wanted.length > 0) return { kind: 'unclear' }
  return removed.has(name) ? { kind: 'removed' } : undefined
}

/** Whether a type, or a part of a union, has a property of a name. */
export function hasProperty(
  checker: ts.TypeChecker,
  type: ts.Type | undefined,
  name: string,
): boolean {
  if (type === undefined) return false
  const parts = type.isUnion() ? type.types : [type]
  return parts.some((part) => checker.getPropertyOfType(part, name) !== undefined)
}
