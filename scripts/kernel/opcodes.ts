// Opcodes of the instructions that kernel.wat uses, from the WebAssembly specification (appendix, index of
// instructions). SIMD opcodes are 0xFD and a second number: here 0xFD0000 plus that number.

export const OPCODES: Readonly<Record<string, number>> = {
  block: 0x02,
  loop: 0x03,
  end: 0x0b,
  br: 0x0c,
  br_if: 0x0d,
  "local.get": 0x20,
  "local.set": 0x21,
  "local.tee": 0x22,
  "i32.load": 0x28,
  "i32.store": 0x36,
  "i32.const": 0x41,
  "i32.eq": 0x46,
  "i32.lt_u": 0x49,
  "i32.add": 0x6a,
  "i32.sub": 0x6b,
  "i32.mul": 0x6c,
  "i32.shl": 0x74,
  "i32.shr_u": 0x76,
  "v128.load": 0xfd_0000,
  "v128.load32_splat": 0xfd_0009,
  "v128.store": 0xfd_000b,
  "v128.const": 0xfd_000c,
  "i8x16.shuffle": 0xfd_000d,
  "i8x16.splat": 0xfd_000f,
  "i32x4.extract_lane": 0xfd_001b,
  "v128.and": 0xfd_004e,
  "v128.xor": 0xfd_0051,
  "v128.load64_zero": 0xfd_005d,
  "i8x16.shr_u": 0xfd_006d,
  "i8x16.sub": 0xfd_0071,
  "i16x8.extend_low_i8x16_s": 0xfd_0087,
  "i16x8.extend_high_i8x16_s": 0xfd_0088,
  "i16x8.shr_u": 0xfd_008d,
  "i32x4.extend_low_i16x8_s": 0xfd_00a7,
  "i32x4.extend_high_i16x8_s": 0xfd_00a8,
  "i32x4.add": 0xfd_00ae,
  "f32x4.add": 0xfd_00e4,
  "f32x4.mul": 0xfd_00e6,
  "f32x4.convert_i32x4_s": 0xfd_00fa,
  "i32x4.relaxed_dot_i8x16_i7x16_add_s": 0xfd_0113,
};

/** The natural alignment of instructions that read or write memory, as a power of two. */
export const ALIGNMENTS: Readonly<Record<string, number>> = {
  "i32.load": 2,
  "i32.store": 2,
  "v128.load": 4,
  "v128.load32_splat": 2,
  "v128.load64_zero": 3,
  "v128.store": 4,
};

/** The number of lanes that an instruction names. */
export const LANE_COUNTS: Readonly<Record<string, number>> = {
  "i8x16.shuffle": 16,
  "i32x4.extract_lane": 1,
};
