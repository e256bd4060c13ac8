module {
  func.func @f(%x: !torch.vtensor<[2],f32>) {
    return
  }
}
