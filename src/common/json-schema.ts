/** The parts of JSON Schema that the inputs of skills and methods use. */
export interface JsonSchema {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  prefixItems?: JsonSchema[];
  items?: JsonSchema | boolean;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  /** `#/$defs/` and a name: the schema is at that place in the root. Schemas that contain themselves are also there. */
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}
