/** The code that uses prompts: one by its slug, or all of them at once. */
interface Uses {
  readonly sites: readonly { readonly slug: string }[]
  readonly escapes: readonly unknown[]
}

/** Returns whether code uses a prompt, or may: code that passes on all prompts may use any. */
export function usedBy({ sites, escapes }: Uses): (prompt: { readonly slug: string }) => boolean {
  const used = new Set(sites.map(({ slug }) => slug))
  return ({ slug }) => escapes.length > 0 || used.has(slug)
}
