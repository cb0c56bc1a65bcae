import { prompts, type PromptMessage } from 'virtual:prompts'

/** The messages that explain a query. The prompt has no variables: the query is a message of its own. */
export function explainQueryMessages(sql: string): PromptMessage[] {
  return [...prompts.sqlExplainer.render().messages, { role: 'user', content: sql }]
}
