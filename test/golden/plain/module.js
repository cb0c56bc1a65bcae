// virtual:prompts
export * as prompts from "virtual:prompts/all"
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"

// virtual:prompts/all
export {
  p15508640342364879163 as "sql-explainer",
  p15508640342364879163 as sqlExplainer,
  p3268857161919772268 as "support-triage",
  p3268857161919772268 as supportTriage,
  p8783473968437091972 as welcome,
} from "virtual:prompts/definitions"

// virtual:prompts/definitions
import { compose, definePrompt } from "virtual:prompts/runtime"
export const p15508640342364879163 = /* @__PURE__ */ definePrompt("sql-explainer", "v3", "engineering", "gpt-5-mini", 0, "live", (v, s) => compose("You explain SQL to beginners.", "", ""))
export const p3268857161919772268 = /* @__PURE__ */ definePrompt("support-triage", "v22", "support", "gpt-5", 0.2, "live", (v, s) => compose("You triage support tickets of " + s("{{ company }}", v["company"], v) + ".\n\nAnswer with one word: bug, question or billing.\n", "Ticket:\n" + s("{{ ticket }}", v["ticket"], v), "\n\n"))
export const p8783473968437091972 = /* @__PURE__ */ definePrompt("welcome", "2024-06", "", "claude-opus-4", 1, "live", (v, s) => compose("", "Write a welcome for " + s("{{ name }}", v["name"], v) + ".", ""))

// virtual:prompts, where names must be identifiers
import { p15508640342364879163 } from "virtual:prompts/definitions"
import { p3268857161919772268 } from "virtual:prompts/definitions"
import { p8783473968437091972 } from "virtual:prompts/definitions"
export const prompts = {
  __proto__: null,
  ["sql-explainer"]: p15508640342364879163,
  ["sqlExplainer"]: p15508640342364879163,
  ["support-triage"]: p3268857161919772268,
  ["supportTriage"]: p3268857161919772268,
  ["welcome"]: p8783473968437091972,
}
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"
