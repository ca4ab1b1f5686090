/** As many as a person finds their way in. */
export const CALL_TEMPLATES_MAX = 100
export const CALL_TEMPLATE_NAME_MAX = 80

export const NAMELESS = 'A template needs a name.'
