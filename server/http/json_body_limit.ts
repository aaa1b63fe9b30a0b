/** 500 KB, read as 500 × 1024 so that no caller's reading of "KB" is refused early. */
export const JSON_BODY_BYTES_MAX = 512_000
