//! How large the net is, and what stands for one in it.

/// The small boards and the big one.
pub(super) const BOARDS: usize = 10;
/// Units of the first layer.
pub(super) const UNITS: usize = 8;
/// Units of the second.
pub(super) const HIDDEN: usize = 16;
/// What a sum is cut off at; it stands for one. Its square just fits 16 bits.
pub(super) const ONE: i16 = 181;

/// The sum of the units of an image, each times its weight, loses so many bits, as that of two means
/// does, …
pub(super) const PRODUCT_SHIFT: u32 = 16;
/// … and makes sums of the hidden units in which one is so many doublings of [`ONE`].
pub(super) const HIDDEN_SHIFT: u32 = 3;
