/** An ID of the service: 24 hexadecimal digits. */
export const OBJECT_ID = /^[0-9a-f]{24}$/i;
