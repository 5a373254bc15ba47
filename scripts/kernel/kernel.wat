;; The inner loops of embeddings, in WebAssembly with SIMD. src/embed/kernel-module.ts holds these functions
;; assembled; after a change run `node scripts/assemble-kernel.ts`. src/embed/kernel.ts says what each does,
;; src/embed/scalar.ts does the same in JavaScript, to the last bit.
;;
;; Parameters are addresses and counts, if nothing else is said; dimensions are a multiple of 16.
(module
  (memory (export "memory") 1)

  ;; sums += weights[i] * matrix[rows[i]] for `count` rows of int8. Sixteen columns at a time, so that their
  ;; sums stay in registers while the rows pass; the rows come from the cache from the second time on.
  (func (export "addRows8") (param $rows i32) (param $weights i32) (param $count i32)
    (param $matrix i32) (param $dimensions i32) (param $sums i32)
    (local $column i32) (local $row i32) (local $end i32) (local $toWeight i32) (local $sum i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $weight v128) (local $bytes v128) (local $half v128)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $toWeight (i32.sub (local.get $weights) (local.get $rows)))
    (loop $columns
      (local.set $sum (i32.add (local.get $sums) (i32.shl (local.get $column) (i32.const 2))))
      (local.set $a (v128.load (local.get $sum)))
      (local.set $b (v128.load offset=16 (local.get $sum)))
      (local.set $c (v128.load offset=32 (local.get $sum)))
      (local.set $d (v128.load offset=48 (local.get $sum)))
      (local.set $row (local.get $rows))
      (block $done
        (loop $next
          (br_if $done (i32.eq (local.get $row) (local.get $end)))
          (local.set $weight (v128.load32_splat (i32.add (local.get $row) (local.get $toWeight))))
          (local.set $bytes
            (v128.load
              (i32.add
                (i32.add (local.get $matrix) (local.get $column))
                (i32.mul (i32.load (local.get $row)) (local.get $dimensions)))))
          (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
          (local.set $a
            (f32x4.add (local.get $a)
              (f32x4.mul (local.get $weight)
                (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $b
            (f32x4.add (local.get $b)
              (f32x4.mul (local.get $weight)
                (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
          (local.set $c
            (f32x4.add (local.get $c)
              (f32x4.mul (local.get $weight)
                (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $d
            (f32x4.add (local.get $d)
              (f32x4.mul (local.get $weight)
                (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $row (i32.add (local.get $row) (i32.const 4)))
          (br $next)))
      (v128.store (local.get $sum) (local.get $a))
      (v128.store offset=16 (local.get $sum) (local.get $b))
      (v128.store offset=32 (local.get $sum) (local.get $c))
      (v128.store offset=48 (local.get $sum) (local.get $d))
      (br_if $columns
        (i32.lt_u
          (local.tee $column (i32.add (local.get $column) (i32.const 16)))
          (local.get $dimensions)))))

  ;; The same for rows of int4: two columns a byte, the first in the low half, each stored plus 8.
  (func (export "addRows4") (param $rows i32) (param $weights i32) (param $count i32)
    (param $matrix i32) (param $dimensions i32) (param $sums i32)
    (local $column i32) (local $row i32) (local $end i32) (local $toWeight i32) (local $sum i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $weight v128) (local $bytes v128) (local $half v128)
    (local.set $end (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $toWeight (i32.sub (local.get $weights) (local.get $rows)))
    (loop $columns
      (local.set $sum (i32.add (local.get $sums) (i32.shl (local.get $column) (i32.const 2))))
      (local.set $a (v128.load (local.get $sum)))
      (local.set $b (v128.load offset=16 (local.get $sum)))
      (local.set $c (v128.load offset=32 (local.get $sum)))
      (local.set $d (v128.load offset=48 (local.get $sum)))
      (local.set $row (local.get $rows))
      (block $done
        (loop $next
          (br_if $done (i32.eq (local.get $row) (local.get $end)))
          (local.set $weight (v128.load32_splat (i32.add (local.get $row) (local.get $toWeight))))
          (local.set $bytes
            (v128.load64_zero
              (i32.add
                (local.get $matrix)
                (i32.shr_u
                  (i32.add
                    (local.get $column)
                    (i32.mul (i32.load (local.get $row)) (local.get $dimensions)))
                  (i32.const 1)))))
          (local.set $bytes
            (i8x16.sub
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23
                (v128.and (local.get $bytes) (i8x16.splat (i32.const 15)))
                (i8x16.shr_u (local.get $bytes) (i32.const 4)))
              (i8x16.splat (i32.const 8))))
          (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
          (local.set $a
            (f32x4.add (local.get $a)
              (f32x4.mul (local.get $weight)
                (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $b
            (f32x4.add (local.get $b)
              (f32x4.mul (local.get $weight)
                (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
          (local.set $c
            (f32x4.add (local.get $c)
              (f32x4.mul (local.get $weight)
                (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
          (local.set $d
            (f32x4.add (local.get $d)
              (f32x4.mul (local.get $weight)
                (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
          (local.set $row (i32.add (local.get $row) (i32.const 4)))
          (br $next)))
      (v128.store (local.get $sum) (local.get $a))
      (v128.store offset=16 (local.get $sum) (local.get $b))
      (v128.store offset=32 (local.get $sum) (local.get $c))
      (v128.store offset=48 (local.get $sum) (local.get $d))
      (br_if $columns
        (i32.lt_u
          (local.tee $column (i32.add (local.get $column) (i32.const 16)))
          (local.get $dimensions)))))

  ;; to[i] = start + query . vectors[i], as int32. Components of vectors become 0 to 15 by adding 8, which
  ;; `start` takes back: so they are fit for the one instruction that multiplies 16 bytes and adds the products
  ;; by four (of WebAssembly's relaxed SIMD; with numbers below 128 as its second operand, where no sum of two
  ;; products leaves int16, it is not relaxed). Two sums, because each instruction waits for the one before.
  (func (export "dots") (param $query i32) (param $width i32) (param $start i32)
    (param $vectors i32) (param $count i32) (param $to i32)
    (local $at i32) (local $end i32) (local $rowEnd i32) (local $sum v128) (local $bytes v128)
    (local $low v128) (local $signs v128) (local $other v128)
    (local.set $low (i8x16.splat (i32.const 15)))
    (local.set $signs (i8x16.splat (i32.const 0x88)))
    (local.set $end
      (i32.add (local.get $vectors) (i32.mul (local.get $count) (local.get $width))))
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $vectors) (local.get $end)))
        (local.set $rowEnd (i32.add (local.get $vectors) (local.get $width)))
        (local.set $at (local.get $query))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $other (v128.const i32x4 0 0 0 0))
        (loop $columns
          (local.set $bytes
            (v128.xor (v128.load (local.get $vectors)) (local.get $signs)))
          (local.set $sum
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (v128.load (local.get $at))
              (v128.and (local.get $bytes) (local.get $low))
              (local.get $sum)))
          (local.set $other
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (v128.load offset=16 (local.get $at))
              (v128.and
                (i16x8.shr_u (local.get $bytes) (i32.const 4))
                (local.get $low))
              (local.get $other)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $columns
            (i32.lt_u
              (local.tee $vectors (i32.add (local.get $vectors) (i32.const 16)))
              (local.get $rowEnd))))
        (local.set $sum (i32x4.add (local.get $sum) (local.get $other)))
        (i32.store (local.get $to)
          (i32.add (local.get $start)
            (i32.add
              (i32.add
                (i32x4.extract_lane 0 (local.get $sum))
                (i32x4.extract_lane 1 (local.get $sum)))
              (i32.add
                (i32x4.extract_lane 2 (local.get $sum))
                (i32x4.extract_lane 3 (local.get $sum))))))
        (local.set $to (i32.add (local.get $to) (i32.const 4)))
        (br $next))))

  ;; The same for four times `count` vectors: those of each quarter one after the other, next to those of the
  ;; other quarters. Most of the time is waiting for memory, and four places are read ahead at once.
  (func (export "dotsOfQuarters") (param $query i32) (param $width i32) (param $start i32)
    (param $vectors i32) (param $count i32) (param $to i32)
    (local $at i32) (local $end i32) (local $rowEnd i32) (local $quarter i32)
    (local $second i32) (local $third i32) (local $fourth i32) (local $target i32)
    (local $low v128) (local $signs v128) (local $even v128) (local $odd v128) (local $bytes v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $low (i8x16.splat (i32.const 15)))
    (local.set $signs (i8x16.splat (i32.const 0x88)))
    (local.set $quarter (i32.mul (local.get $count) (local.get $width)))
    (local.set $end (i32.add (local.get $vectors) (local.get $quarter)))
    (local.set $second (local.get $end))
    (local.set $third (i32.add (local.get $second) (local.get $quarter)))
    (local.set $fourth (i32.add (local.get $third) (local.get $quarter)))
    (local.set $quarter (i32.shl (local.get $count) (i32.const 2)))
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $vectors) (local.get $end)))
        (local.set $rowEnd (i32.add (local.get $vectors) (local.get $width)))
        (local.set $at (local.get $query))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (loop $columns
          (local.set $even (v128.load (local.get $at)))
          (local.set $odd (v128.load offset=16 (local.get $at)))
          (local.set $bytes (v128.xor (v128.load (local.get $vectors)) (local.get $signs)))
          (local.set $a
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (local.get $even)
              (v128.and (local.get $bytes) (local.get $low))
              (local.get $a)))
          (local.set $a
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (local.get $odd)
              (v128.and
                (i16x8.shr_u (local.get $bytes) (i32.const 4))
                (local.get $low))
              (local.get $a)))
          (local.set $bytes (v128.xor (v128.load (local.get $second)) (local.get $signs)))
          (local.set $b
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (local.get $even)
              (v128.and (local.get $bytes) (local.get $low))
              (local.get $b)))
          (local.set $b
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (local.get $odd)
              (v128.and
                (i16x8.shr_u (local.get $bytes) (i32.const 4))
                (local.get $low))
              (local.get $b)))
          (local.set $second (i32.add (local.get $second) (i32.const 16)))
          (local.set $bytes (v128.xor (v128.load (local.get $third)) (local.get $signs)))
          (local.set $c
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (local.get $even)
              (v128.and (local.get $bytes) (local.get $low))
              (local.get $c)))
          (local.set $c
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (local.get $odd)
              (v128.and
                (i16x8.shr_u (local.get $bytes) (i32.const 4))
                (local.get $low))
              (local.get $c)))
          (local.set $third (i32.add (local.get $third) (i32.const 16)))
          (local.set $bytes (v128.xor (v128.load (local.get $fourth)) (local.get $signs)))
          (local.set $d
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (local.get $even)
              (v128.and (local.get $bytes) (local.get $low))
              (local.get $d)))
          (local.set $d
            (i32x4.relaxed_dot_i8x16_i7x16_add_s
              (local.get $odd)
              (v128.and
                (i16x8.shr_u (local.get $bytes) (i32.const 4))
                (local.get $low))
              (local.get $d)))
          (local.set $fourth (i32.add (local.get $fourth) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $columns
            (i32.lt_u
              (local.tee $vectors (i32.add (local.get $vectors) (i32.const 16)))
              (local.get $rowEnd))))
        (local.set $target (local.get $to))
        (i32.store (local.get $target)
          (i32.add (local.get $start)
            (i32.add
              (i32.add
                (i32x4.extract_lane 0 (local.get $a))
                (i32x4.extract_lane 1 (local.get $a)))
              (i32.add
                (i32x4.extract_lane 2 (local.get $a))
                (i32x4.extract_lane 3 (local.get $a))))))
        (local.set $target (i32.add (local.get $target) (local.get $quarter)))
        (i32.store (local.get $target)
          (i32.add (local.get $start)
            (i32.add
              (i32.add
                (i32x4.extract_lane 0 (local.get $b))
                (i32x4.extract_lane 1 (local.get $b)))
              (i32.add
                (i32x4.extract_lane 2 (local.get $b))
                (i32x4.extract_lane 3 (local.get $b))))))
        (local.set $target (i32.add (local.get $target) (local.get $quarter)))
        (i32.store (local.get $target)
          (i32.add (local.get $start)
            (i32.add
              (i32.add
                (i32x4.extract_lane 0 (local.get $c))
                (i32x4.extract_lane 1 (local.get $c)))
              (i32.add
                (i32x4.extract_lane 2 (local.get $c))
                (i32x4.extract_lane 3 (local.get $c))))))
        (local.set $target (i32.add (local.get $target) (local.get $quarter)))
        (i32.store (local.get $target)
          (i32.add (local.get $start)
            (i32.add
              (i32.add
                (i32x4.extract_lane 0 (local.get $d))
                (i32x4.extract_lane 1 (local.get $d)))
              (i32.add
                (i32x4.extract_lane 2 (local.get $d))
                (i32x4.extract_lane 3 (local.get $d))))))
        (local.set $to (i32.add (local.get $to) (i32.const 4)))
        (br $next))))
)
